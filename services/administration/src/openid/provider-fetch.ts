import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { CustomFetch } from 'openid-client'

/** More than any provider's keys, tokens or claims take. */
const answerSizeMax = 1024 * 1024

/** Statuses whose answers have no body, which `Response` insists on. */
const bodiless = new Set([204, 205, 304])

/**
 * Makes what asks a provider: it trusts authorities besides the usual ones, follows no redirect, and takes no endless answer.
 *
 * @param authorities PEM
 */
export function providerFetch(authorities: readonly string[]): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const bodyBytes = body == null ? undefined : Buffer.from(await new Response(body).arrayBuffer())
    const options = {
      method,
      headers: { ...headers, ...(bodyBytes && { 'content-length': String(bodyBytes.length) }) },
      ...(signal && { signal }),
    }
    const request = url.startsWith('https:')
      ? requestHttps(url, { ...options, ca: [...rootCertificates, ...authorities] })
      : requestHttp(url, options)
    request.end(bodyBytes)
    const [response]: IncomingMessage[] = await once(request, 'response')
    if (response === undefined) throw new Error('no answer came')
    const answer = await bounded(response)
    const status = response.statusCode ?? 0
    const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return new Response(bodiless.has(status) ? null : answer, { status, headers: fields })
  }
}

async function bounded(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response) {
    size += piece.length
    if (size > answerSizeMax) throw new Error(`an answer was longer than ${answerSizeMax} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
