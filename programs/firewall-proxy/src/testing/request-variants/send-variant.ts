import { type IncomingMessage, request } from 'node:http'
import type { RequestVariant } from './request-variant.ts'

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body?: Buffer | undefined
  /** Trailers of a body that is sent in chunks: names and values. */
  readonly trailers?: Readonly<Record<string, string>> | undefined
}

/** Of every client. */
export const commonHeaders = [
  ...['Host', 'shop.example', 'User-Agent', 'Mozilla/5.0 (X11; Linux x86_64)', 'Accept', '*/*'],
] as const

/** The request that sends a value in this way. */
export function requestOf(variant: RequestVariant, value: string): SentRequest {
  const content = variant.body?.(value)
  const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const trailers = variant.trailers?.(value)
  const framing =
    variant.isChunked || trailers !== undefined
      ? ['Transfer-Encoding', 'chunked', ...(trailers ? ['Trailer', Object.keys(trailers).join(', ')] : [])]
      : body === undefined
        ? []
        : ['Content-Length', `${body.length}`]
  return {
    method: variant.method ?? (body === undefined ? 'GET' : 'POST'),
    target: variant.target?.(value) ?? '/',
    headers: [
      ...(variant.headers?.[0] === 'Host' ? commonHeaders.slice(2) : commonHeaders),
      ...(variant.headers ?? []),
      ...framing,
    ],
    body,
    trailers,
  }
}

/** Sends a request over a connection of its own to a port of loopback. @returns the status of the answer */
export function sendRequest(
  port: number,
  { method, target, headers, body, trailers }: SentRequest,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: target,
      headers: [...headers],
      agent: false,
    })
    sent.on('response', (reply: IncomingMessage) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.on('error', reject)
    if (trailers !== undefined) sent.addTrailers(trailers)
    sent.end(body)
  })
}
