import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import { currentRequestId } from './request-id.ts'
import { secretMembers } from './secret-members.ts'
import { standardOutput } from './standard-output.ts'

/** A pino logger that writes no secret, and the id of the request that is worked on (`requestId`). */
export type Log = Logger

/** Takes lines of JSON, one with its end of line at a time. */
export type LogDestination = DestinationStream

/** What a program can be told to log: the least severe level that is written. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The least severe level that is written. */
export type LogLevel = (typeof logLevels)[number]

/**
 * A structured log.
 *
 * @param level the least severe level that is written: one of `logLevels`
 * @param destination takes lines of JSON; standard output, as JSON, when left out
 */
export function createLog(level: string, destination: LogDestination = standardOutput('json')): Log {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      // What is logged with a `requestId` of its own keeps that.
      mixin: () => {
        const requestId = currentRequestId()
        return requestId === undefined ? {} : { requestId }
      },
      redact: {
        paths: secretMembers.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination,
  )
}
