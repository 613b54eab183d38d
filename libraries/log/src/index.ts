export { createLog, type Log } from './create-log.ts'
export { type LogLevel, logLevels } from './log-levels.ts'
export { type LogFormat, logFormats, standardOutput } from './standard-output.ts'
