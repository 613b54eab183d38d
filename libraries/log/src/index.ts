export { createLog, type Log, type LogLevel, logLevels } from './create-log.ts'
export { type LogFormat, logFormats, standardOutput } from './standard-output.ts'
export { withoutSecrets } from './without-secrets.ts'
