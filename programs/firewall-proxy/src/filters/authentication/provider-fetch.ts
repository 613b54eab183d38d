import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ConnectionOptions } from 'node:tls'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { CustomFetch } from 'openid-client'

/** More than any provider's keys, tokens or claims take. */
const providerAnswerSizeMax = 1024 * 1024

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Statuses whose answers have no body, which `Response` insists on. */
const bodiless = new Set([204, 205, 304])

/** A provider cannot be asked at the moment. The message is a sentence. */
export class ProviderUnavailable extends Error {}

/**
 * Makes what asks a provider: it goes nowhere where that is forbidden, follows no redirect, and takes no endless answer.
 *
 * @param tls how the provider has to prove itself, where it is not as usual
 * @param answerSizeMax in bytes
 */
export function providerFetch(
  guard: AddressGuard,
  tls: Pick<ConnectionOptions, 'rejectUnauthorized' | 'ca' | 'allowPartialTrustChain'> = {},
  answerSizeMax = providerAnswerSizeMax,
): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const port = Number(url.port) || (defaultPorts[url.protocol] ?? 0)
    guard.refuse(url.hostname.replace(/^\[|\]$/g, ''), port)
    const bodyBytes = body == null ? undefined : Buffer.from(await new Response(body).arrayBuffer())
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      headers: { ...headers, ...(bodyBytes && { 'content-length': String(bodyBytes.length) }) },
      ...tls,
      lookup: guard.lookupFor(port),
      ...(signal && { signal }),
    })
    const response = await answerOf(request.end(bodyBytes), url)
    const status = response.statusCode ?? 0
    if (status >= 500)
      throw new ProviderUnavailable(`The server at ${url.origin} answered with status ${status}.`)
    const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const content = await bounded(response, answerSizeMax)
    return new Response(bodiless.has(status) ? null : content, { status, headers: fields })
  }
}

async function answerOf(request: NodeJS.EventEmitter, { origin }: URL): Promise<IncomingMessage> {
  try {
    const [response]: IncomingMessage[] = await once(request, 'response')
    if (response !== undefined) return response
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name
    throw new ProviderUnavailable(`The server at ${origin} cannot be reached: ${code}.`, { cause: error })
  }
  throw new ProviderUnavailable(`The server at ${origin} gave no answer.`)
}

async function bounded(response: IncomingMessage, answerSizeMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response) {
    size += piece.length
    if (size > answerSizeMax)
      throw new ProviderUnavailable(`Its answer was longer than ${answerSizeMax} bytes.`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
