export { createLog, type Log, type LogDestination, type LogLevel, logLevels } from './create-log.ts'
export {
  currentRequestId,
  isRequestId,
  newRequestId,
  withRequestId,
} from './request-id.ts'
export { type LogFormat, logFormats, standardOutput } from './standard-output.ts'
export { isSecretMember, withoutSecrets } from './without-secrets.ts'
