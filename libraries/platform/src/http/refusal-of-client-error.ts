import type { Refusal } from '../refusal.ts'

/** A request that does not arrive in time. */
export const tooSlow: Refusal = { code: 'request-timeout', message: 'The request took too long to arrive.' }

/** Why Node gave up a connection on which no request could be read. */
export function refusalOfClientError({ code }: { code?: string }): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers-too-large', message: 'The request line and headers are too long.' }
  }
  return { code: 'bad-request', message: 'The request is not valid HTTP.' }
}
