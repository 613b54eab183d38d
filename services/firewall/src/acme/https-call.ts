import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { describe } from '@palisade/start-up'
import { AcmeFailure } from './acme-failure.ts'

/** A call that takes longer has failed, in milliseconds. */
const callMaxMs = 30_000

/** No answer of an authority is longer, in bytes. */
const answerSizeMax = 1024 * 1024

/** What the authority answers, whatever the status. The body is whole, and read as UTF-8. */
export interface HttpsReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One call of an authority, which the signal ends early. */
export interface HttpsCall {
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Sent as JOSE. */
  readonly body?: string
  /** PEM of whoever may have signed the certificate of the other side; those that Node trusts when undefined. */
  readonly trusted: string | undefined
  readonly signal: AbortSignal
}

/**
 * Makes one call. Redirects are not followed: the authority says where everything is.
 *
 * @throws AcmeFailure that says that the authority is away, or what the signal was aborted for
 */
export async function httpsCall(
  url: string,
  { method, body, trusted, signal }: HttpsCall,
): Promise<HttpsReply> {
  if (!url.startsWith('https://'))
    throw new AcmeFailure(`The authority names ${shown(url)}, which is not over HTTPS.`)
  const limit = AbortSignal.timeout(callMaxMs)
  try {
    return await new Promise((resolve, reject) => {
      const outgoing = request(url, {
        method,
        ...(trusted === undefined ? {} : { ca: trusted }),
        signal: AbortSignal.any([signal, limit]),
        headers: {
          'user-agent': 'palisade',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/jose+json', 'content-length': Buffer.byteLength(body) }),
        },
      })
      outgoing.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', reject).on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > answerSizeMax) outgoing.destroy(new Error('its answer is too long'))
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      outgoing.end(body)
    })
  } catch (cause) {
    signal.throwIfAborted()
    const why = limit.aborted ? 'it does not answer' : describe(cause)
    throw new AcmeFailure(`The authority at ${shown(url)} is not reached: ${why}.`, { isAway: true, cause })
  }
}

/** The host and port of an address, which may have secrets behind them. */
function shown(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none'
}

/**
 * What `Retry-After` asks for (RFC 9110, section 10.2.3), in milliseconds; undefined where it is not there.
 *
 * @param now in milliseconds since 1970
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
