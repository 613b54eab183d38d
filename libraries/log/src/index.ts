export { createLog, type Log, type LogDestination, type LogLevel, logLevels } from './create-log.ts'
export { type LogFormat, logFormats, standardOutput } from './standard-output.ts'
export { isSecretMember, withoutSecrets } from './without-secrets.ts'
