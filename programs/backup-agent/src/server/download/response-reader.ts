/**
 * Reads HTTP/1.1 responses (RFC 9112) from bytes as they arrive, and hands the body on without copying it.
 *
 * Node's own client allocates a buffer for every 64 KiB that arrives, which costs five times the processor time
 * of reading into one buffer again and again. A restore is mostly this, so downloads have this small reader;
 * everything else uses `node:http`. It understands what a server may answer to a plain GET: bodies with a
 * length, in chunks, or up to the end of the connection.
 */
import { ReplyBroken } from '../request-failure.ts'

/** What the status line and the fields of a response say, as far as it matters here. */
export interface ResponseHead {
  readonly status: number
  /** Whether the connection can be used for another request afterwards. */
  readonly keepsAlive: boolean
}

type Framing = 'none' | 'length' | 'chunked' | 'until-close'
type State = 'head' | 'body' | 'chunk-size' | 'chunk-end' | 'trailer' | 'complete'

const headSizeMaxBytes = 32 * 1024
const lineSizeMaxBytes = 1024
/** Interim responses before one that counts, and lines of a trailer: a server may send them without an end. */
const extrasMax = 100

/** Reads one response; the next one of a connection needs a new reader. */
export class ResponseReader {
  readonly #onBody: (head: ResponseHead, bytes: Buffer) => void
  #state: State = 'head'
  #framing: Framing = 'none'
  #head: ResponseHead | undefined
  /** What arrived of a head or line that is not complete. */
  #started = ''
  /** Bytes of the body, or of its current chunk, that have not arrived. */
  #missingBytes = 0
  #extras = 0

  /** @param onBody is given views of what is pushed: valid until it returns */
  constructor(onBody: (head: ResponseHead, bytes: Buffer) => void) {
    this.#onBody = onBody
  }

  /** The head, once it has arrived. */
  get head(): ResponseHead | undefined {
    return this.#head
  }

  get isComplete(): boolean {
    return this.#state === 'complete'
  }

  /**
   * Takes the next bytes of the connection.
   *
   * @throws ReplyBroken when they are not a response, or go on after its end
   */
  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'complete') throw new ReplyBroken('the server sent more than its reply')
      at = this.#state === 'body' ? this.#takeBody(bytes, at) : this.#takeLines(bytes, at)
    }
  }

  /**
   * The connection ended.
   *
   * @throws ReplyBroken unless the response was complete
   */
  end(): void {
    if (this.#state === 'body' && this.#framing === 'until-close') this.#state = 'complete'
    if (this.#state !== 'complete') throw new ReplyBroken('the connection ended inside the reply')
  }

  #takeBody(bytes: Buffer, at: number): number {
    const end =
      this.#framing === 'until-close' ? bytes.length : Math.min(bytes.length, at + this.#missingBytes)
    if (this.#head !== undefined) this.#onBody(this.#head, bytes.subarray(at, end))
    this.#missingBytes -= end - at
    if (this.#framing !== 'until-close' && this.#missingBytes === 0) {
      this.#state = this.#framing === 'chunked' ? 'chunk-end' : 'complete'
    }
    return end
  }

  /** Collects up to the end of the head, or of a line of the chunked coding, and acts on it. */
  #takeLines(bytes: Buffer, at: number): number {
    const [mark, sizeMaxBytes] =
      this.#state === 'head' ? ['\r\n\r\n', headSizeMaxBytes] : ['\r\n', lineSizeMaxBytes]
    const before = this.#started.length
    const text = this.#started + bytes.toString('latin1', at, at + sizeMaxBytes)
    const markAt = text.indexOf(mark, Math.max(0, before - mark.length))
    if (markAt < 0) {
      if (text.length >= sizeMaxBytes) throw new ReplyBroken('the server sent a head or line without an end')
      this.#started = text
      return bytes.length
    }
    this.#started = ''
    this.#takeText(text.slice(0, markAt))
    return at + markAt + mark.length - before
  }

  #takeText(text: string): void {
    if (this.#state === 'head') this.#takeHead(text)
    else if (this.#state === 'chunk-size') this.#takeChunkSize(text)
    else if (this.#state === 'chunk-end') this.#takeChunkEnd(text)
    else if (text === '') this.#state = 'complete'
    else this.#countExtra()
  }

  #countExtra(): void {
    if (++this.#extras > extrasMax) throw new ReplyBroken('the server sent a reply without an end')
  }

  #takeHead(text: string): void {
    const [statusLine = '', ...lines] = text.split('\r\n')
    const match = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine)
    if (match === null) throw new ReplyBroken('the server did not answer in HTTP/1.1')
    const status = Number(match[2])
    // Interim responses (RFC 9110, 15.2) precede the one that counts.
    if (status < 200) {
      this.#countExtra()
      return
    }
    const headers = parseHeaders(lines)
    this.#frameBody(status, headers)
    const connection = headers.get('connection')?.toLowerCase() ?? ''
    const keepsAlive = match[1] === '1' ? !connection.includes('close') : connection.includes('keep-alive')
    this.#head = { status, keepsAlive: keepsAlive && this.#framing !== 'until-close' }
  }

  /** How long the body is (RFC 9112, 6.3). */
  #frameBody(status: number, headers: ReadonlyMap<string, string>): void {
    const coding = headers.get('transfer-encoding')
    const length = headers.get('content-length')
    if (status === 204 || status === 304) {
      this.#state = 'complete'
    } else if (coding !== undefined) {
      if (length !== undefined) throw new ReplyBroken('the server sent a length beside a coding')
      if (coding.toLowerCase() !== 'chunked')
        throw new ReplyBroken(`the server sent an unknown coding: ${coding}`)
      this.#framing = 'chunked'
      this.#state = 'chunk-size'
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length)) throw new ReplyBroken('the server sent a length that is no number')
      this.#framing = 'length'
      this.#missingBytes = Number(length)
      this.#state = this.#missingBytes === 0 ? 'complete' : 'body'
    } else {
      this.#framing = 'until-close'
      this.#state = 'body'
    }
  }

  #takeChunkSize(text: string): void {
    const match = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text)
    if (match === null) throw new ReplyBroken('the server sent a chunk without a size')
    this.#missingBytes = Number.parseInt(match[1] ?? '', 16)
    this.#state = this.#missingBytes === 0 ? 'trailer' : 'body'
  }

  #takeChunkEnd(text: string): void {
    if (text !== '') throw new ReplyBroken('the server sent a chunk that is longer than it said')
    this.#state = 'chunk-size'
  }
}

/** The headers by lower-cased names. Lines of one name are joined by commas (RFC 9110, 5.3), so that two lengths are no number. */
function parseHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0) throw new ReplyBroken('the server sent a header without a name')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const earlier = headers.get(name)
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}
