import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Members that may carry a secret, wherever they stand in a logged object, two levels deep. */
const secretMembers = [
  'password',
  'bof_ticket_pw',
  'api_key',
  'access_token',
  'token',
  'authorization',
  'client_secret',
  'clientSecret',
  'enrolmentKey',
  'credential',
  'secretAccessKey',
  'sessionToken',
  'passphrase',
]

/**
 * A structured log, one JSON object a line.
 *
 * @param level the least severe level that is written: trace, debug, info, warn, error, fatal or silent
 * @param destination where lines go; standard output when left out
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    redact: {
      paths: secretMembers.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
