import type { RequestHead } from '../request/messages.ts'

/** A request as it was sent, or why a server would answer 400 before any rule runs. */
export type ParsedRequest = ReadableRequest | { readonly refusedBecause: string }

/** A request that a server can read. */
export interface ReadableRequest {
  readonly head: RequestHead
  readonly body: Buffer
}

/**
 * Takes a request apart as a server does that leaves to the rules what it can: refused is only what no server could read. Chunks
 * are joined.
 */
export function parseRequest(bytes: Buffer): ParsedRequest {
  const text = bytes.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const headText = end === null ? text : text.slice(0, end.index)
  const [line = '', ...fields] = headText.split(/\r?\n/)
  const [method = '', uri = '', ...rest] = line.split(' ')
  const protocol = rest.join(' ')
  if (!/^[A-Z]+\/\d/.test(protocol)) return { refusedBecause: `the request line has no protocol: ${line}` }
  if (/\r(?!\n)/.test(headText)) return { refusedBecause: 'a carriage return within a header line' }
  const headers: string[] = []
  for (const field of fields) {
    const colon = field.indexOf(':')
    if (colon === -1) return { refusedBecause: `a header line without a colon: ${field}` }
    headers.push(field.slice(0, colon), field.slice(colon + 1).trim())
  }
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  return {
    head: { method, uri, protocol, headers: withoutLengthOfChunks(headers), line },
    body: Buffer.from(bodyOf(body, headers), 'latin1'),
  }
}

function bodyOf(body: string, headers: readonly string[]): string {
  if (isChunked(headers)) return joinChunks(body)
  const length = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length')
  return length === -1 ? '' : body.slice(0, Number(headers[length + 1]))
}

function isChunked(headers: readonly string[]): boolean {
  return headers.some(
    (name, at) => at % 2 === 0 && /^transfer-encoding$/i.test(name) && /chunked/i.test(headers[at + 1] ?? ''),
  )
}

/** A length beside chunks counts for nothing, and servers take it away (RFC 9112, section 6.3). */
function withoutLengthOfChunks(headers: readonly string[]): readonly string[] {
  if (!isChunked(headers)) return headers
  return headers.filter((_, at) => !/^content-length$/i.test(headers[at - (at % 2)] ?? ''))
}

function joinChunks(body: string): string {
  let joined = ''
  let at = 0
  for (;;) {
    const size = /^([0-9a-fA-F]+)[^\n]*\n/.exec(body.slice(at))
    if (size === null || Number.parseInt(size[1] ?? '', 16) === 0) return joined
    at += size[0].length
    const length = Number.parseInt(size[1] ?? '', 16)
    joined += body.slice(at, at + length)
    at += length + 2
  }
}
