import { createHmac } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { Delivery, Sender } from './notice.ts'

const timeoutMs = 10_000

/** What a webhook is called with and whom it trusts. */
export interface WebhookOptions {
  readonly url: string
  readonly secret: string
  /** Authorities that are trusted besides the usual ones, PEM. */
  readonly authorities: readonly string[]
}

/**
 * Calls a webhook by POST with JSON, signed as Standard Webhooks says (version 1, `webhook-id`, `webhook-timestamp`,
 * `webhook-signature`): whoever has the secret knows that it comes from here, and knows what comes twice by its id.
 */
export class Webhook implements Sender {
  readonly kind = 'webhook'
  readonly #options: WebhookOptions
  readonly #guard: AddressGuard

  constructor(options: WebhookOptions, guard: AddressGuard) {
    this.#options = options
    this.#guard = guard
  }

  async send({ id, server, notices }: Delivery, now: number, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify({
      type: 'palisade.attention',
      timestamp: new Date(now).toISOString(),
      data: {
        server,
        notices: notices.map(({ since, resolvedAt, ...notice }) => ({
          ...notice,
          since: new Date(since).toISOString(),
          resolvedAt: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
        })),
      },
    })
    const timestamp = String(Math.floor(now / 1000))
    const status = await this.#post(
      body,
      {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Palisade',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signatureOf(this.#options.secret, `${id}.${timestamp}.${body}`)}`,
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    )
    if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`)
  }

  /** Follows no redirect: whom the configuration names gets the message, and nobody else. */
  #post(body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<number> {
    const { url, authorities } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const { protocol, hostname, port: named } = new URL(url)
    const port = Number(named) || (protocol === 'https:' ? 443 : 80)
    this.#guard.refuse(hostname.replace(/^\[|\]$/g, ''), port)
    const options = { method: 'POST', headers, signal, lookup: this.#guard.lookupFor(port) }
    const request = url.startsWith('https:')
      ? requestHttps(url, { ...options, ca: [...rootCertificates, ...authorities] })
      : requestHttp(url, options)
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', (error) =>
      reject(signal.aborted ? new Error('the webhook did not answer in time') : error),
    )
    request.end(body)
    return promise
  }
}

/** Base64; secrets that begin with whsec_ are base64 themselves. */
function signatureOf(secret: string, content: string): string {
  const prefix = 'whsec_'
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret
  return createHmac('sha256', key).update(content).digest('base64')
}
