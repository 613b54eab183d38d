import { ApiError, Conflict, ConnectionFailed, NotAllowed, NotAuthenticated, NotFound } from '@palisade/sdk'

/** What a command ends with. docs/operating/command-line.md lists them for users. */
export const exitStatus = {
  done: 0,
  failed: 1,
  wrongCommandLine: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
} as const

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus]

/** Something that the caller has to mend; shown without a stack trace. */
export class UsageError extends Error {
  readonly status: ExitStatus

  constructor(message: string, status: ExitStatus = exitStatus.failed) {
    super(message)
    this.status = status
  }
}

/** What a command ends with that has failed. */
export function exitStatusOf(error: unknown): ExitStatus {
  if (error instanceof UsageError) return error.status
  if (error instanceof ConnectionFailed) return exitStatus.unreachable
  if (error instanceof NotAuthenticated || error instanceof NotAllowed) return exitStatus.notAllowed
  if (error instanceof NotFound) return exitStatus.notFound
  if (error instanceof Conflict) return exitStatus.conflict
  return exitStatus.failed
}

/** What went wrong, and what can be done about it, in sentences. */
export function explain(error: unknown): string {
  if (error instanceof ConnectionFailed) return whyUnreachable(error)
  if (error instanceof ApiError) return [error.message, ...nextStep(error)].join(' ')
  return error instanceof Error ? error.message : String(error)
}

const logInAnew = '"palisade login" gets you another one, unless PALISADE_TOKEN is set.'

function nextStep(error: ApiError): string[] {
  const { field, message, retryAfter } = error
  return [
    ...(field === undefined ? [] : [`(${field})`]),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} seconds.`]),
    ...(error instanceof NotAuthenticated && /API token/.test(message) ? [logInAnew] : []),
    ...(error.status === 412 ? ['Somebody has changed it meanwhile: look at it, and try again.'] : []),
  ]
}

/** What Node says behind OpenSSL's reason, to those who start it themselves. */
const nodesAdvice = /; if the root CA is installed locally.*/

function whyUnreachable({ message, cause }: ConnectionFailed): string {
  const code = cause instanceof Error ? String(Reflect.get(cause, 'code')) : ''
  if (cause instanceof Error && /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(code))
    return `The certificate of the server is not valid at this time: ${cause.message}. Have it renewed on the server, or set the clock of this machine.`
  // As OpenSSL and Node name what is wrong with certificates.
  return cause instanceof Error && /CERT|ISSUER|LEAF/.test(code)
    ? `The certificate of the server is not trusted: ${cause.message.replace(nodesAdvice, '')}. ` +
        'NODE_EXTRA_CA_CERTS names a file of certificates to trust; the server gives its own, unless an authority signed it, at /console/own-certificate.pem.'
    : message
}
