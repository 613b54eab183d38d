import { systemCode } from '@palisade/private-files'
import { isRecord } from '../json.ts'

/** The server answered a request with something else than what was asked for. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly status: number

  constructor(status: number, explanation: string) {
    super(
      explanation === '' ? `the server answered ${status}` : `the server answered ${status}: ${explanation}`,
    )
    this.status = status
  }
}

/** The server's reply makes no sense, or ended before it was complete. */
export class ReplyBroken extends Error {
  override readonly name = 'ReplyBroken'
}

/** Errors of the way to the server, by the system's code. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** Whether the same request may succeed later without anybody doing anything about it. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ReplyBroken) return true
  if (error instanceof RequestRefused)
    return error.status >= 500 || error.status === 429 || error.status === 408
  const code = systemCode(error)
  return (
    code !== undefined && (networkCodes.has(code) || code.startsWith('HPE_') || code.startsWith('ERR_SSL_'))
  )
}

/** What a server answers that ends, or has no way to the vault. */
const unavailableStatuses = [502, 503, 504]

/** Whether a server was not reached, broke off or is of no use for now, so that another one may be; a refusal is an answer of all. */
export function isOfUnreachable(error: unknown): boolean {
  if (error instanceof RequestRefused) return isUnavailable(error.status)
  return isTransient(error) || isOfCertificate(error)
}

/** Whether a status says that the server is of no use for now. */
export function isUnavailable(status: number): boolean {
  return unavailableStatuses.includes(status)
}

/** Whether the server showed a certificate that is not trusted, or not for it. */
export function isOfCertificate(error: unknown): boolean {
  const code = systemCode(error) ?? ''
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)
}

/** Whether the server's certificate has expired, or is not valid yet, by the clock of this computer. */
export function isOfCertificateDate(error: unknown): boolean {
  return ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(systemCode(error) ?? '')
}

/** Whether an answer has exactly this status. */
export function isRefusedWith(error: unknown, status: number): boolean {
  return error instanceof RequestRefused && error.status === status
}

const explanationLengthMax = 200
/** More of an error reply is not read. */
export const explanationSizeMaxBytes = 4096

/** What an error reply says, in one short line: the sentences that its JSON lists, or its text as it is. */
export function explanationOf(body: Buffer): string {
  const text = body.toString('utf8')
  const line = (errorsIn(text) ?? text).replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length <= explanationLengthMax ? line : `${line.slice(0, explanationLengthMax)} …`
}

function errorsIn(text: string): string | undefined {
  try {
    const reply: unknown = JSON.parse(text)
    return isRecord(reply) && Array.isArray(reply.errors) ? reply.errors.map(String).join(' ') : undefined
  } catch {
    return undefined
  }
}
