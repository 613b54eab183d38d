import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'

export interface SentRequest {
  /** GET when left out. */
  readonly method?: string
  /** A list of values sends the header that many times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Sent as it is when text or bytes, else as JSON with its content type. */
  readonly body?: unknown
  /** The loopback address that the request comes from, such as 127.0.0.2. */
  readonly from?: string
  /** Whose connections are used, and kept for the next request; one of its own when left out. */
  readonly agent?: http.Agent
}

export interface ReceivedReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  /** The body read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly json: any
}

/** Sends one request as `fetch` cannot: over a connection of its own, from a chosen address, with any header. */
export async function send(url: string, sent: SentRequest = {}): Promise<ReceivedReply> {
  const isRaw = sent.body === undefined || typeof sent.body === 'string' || sent.body instanceof Uint8Array
  const body = isRaw ? sent.body : JSON.stringify(sent.body)
  // Node sends the body of a DELETE without its length, which makes it the beginning of another request.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const isFramed = Object.keys(sent.headers ?? {}).some((name) =>
    /^(content-length|transfer-encoding)$/i.test(name),
  )
  const headers = {
    ...(isRaw ? {} : { 'content-type': 'application/json' }),
    ...(isFramed ? {} : length),
    ...sent.headers,
  }
  const request = http.request(url, {
    method: sent.method ?? 'GET',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    ),
    agent: sent.agent ?? false,
    ...(sent.from === undefined ? {} : { localAddress: sent.from }),
  })
  request.end(body)
  const [response]: http.IncomingMessage[] = await once(request, 'response')
  if (response === undefined) throw new Error('no response came')
  // Once the answer is there, what becomes of the rest of the request is of no interest.
  request.on('error', () => undefined)
  const bodyText = await text(response)
  if (sent.agent === undefined) request.destroy()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: bodyText,
    get json() {
      return JSON.parse(bodyText)
    },
  }
}
