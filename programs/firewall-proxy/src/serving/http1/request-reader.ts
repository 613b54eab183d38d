import { isAscii } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ChunkedBody } from '../../servers/http1/chunked-body.ts'
import { inAscii, isParsedMethod, methodLengthMax, standInFor } from './request-line.ts'

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const nothing = Buffer.alloc(0)
const blank = 0x20
const carriageReturn = 0x0d
const lineFeed = 0x0a

/** By bytes: whether methods may have them (RFC 9110, section 5.6.2). */
const ofTokens = Array.from({ length: 256 }, (_, byte) =>
  /[!#$%&'*+\-.^_`|~\dA-Za-z]/.test(String.fromCharCode(byte)),
)

/** A body of which nobody is told. */
const unseen = { isOver: () => false, onData: () => undefined }

/** Node's parser, as long as it reads a connection. */
export interface ParserOfConnection {
  parse(bytes: Buffer): void
  /** Gives the request of which it has just told, once. */
  takeRequest(): IncomingMessage | undefined
  /** Has the reader told of nothing more that comes. */
  stopReading(): void
}

/**
 * Stands between a client's connection and Node's parser, and has the parser take request lines that it would refuse although servers
 * take them: methods that it does not know ({@link standInFor}), and bytes above 127.
 *
 *     connection ──► line ──► headers ──► body ──► line …
 *                     │          │          │
 *                     ▼          ▼          ▼
 *                  rewritten   as they came, cut where a message ends ──► parser
 *
 * Where a message ends is what the parser says: it is given each head by itself, tells with that how long the body is, and has to agree
 * that the body is complete where it was found to end. Where it does not, as for what it refuses, everything goes to it as it comes from
 * then on.
 */
export class RequestReader {
  readonly #socket: Duplex
  readonly #parser: ParserOfConnection
  #place: 'line' | 'target' | 'head' | 'body' | 'chunks' | 'unknown' = 'line'
  /** The beginning of a method. */
  #held: Buffer | undefined
  /** The last bytes of a head that goes on. */
  #tail: Buffer = nothing
  #request: IncomingMessage | undefined
  /** Of a body with a length. */
  #left = 0
  #chunks = new ChunkedBody()
  #isRefused = false
  #isGivenAway = false

  constructor(socket: Duplex, parser: ParserOfConnection) {
    this.#socket = socket
    this.#parser = parser
  }

  /** The parser has refused something: what still comes is nobody's. */
  refuse(): void {
    this.#isRefused = true
  }

  /**
   * The connection is no longer the parser's; what comes behind the last head stays in it. Node gives the parser to the next connection: a byte that
   * it still got from this one would be read as sent by another client.
   */
  giveAway(): void {
    this.#isGivenAway = true
    this.#parser.stopReading()
  }

  read(bytes: Buffer): void {
    if (this.#place === 'line' && this.#held === undefined && isPlainHead(bytes)) {
      this.#endHead(this.#feed(bytes))
      return
    }
    let rest = bytes
    while (rest.length > 0 && !this.#isRefused) {
      rest = rest.subarray(this.#readPart(rest))
      if (rest.length > 0 && this.#mustWait()) {
        this.#socket.unshift(rest)
        return
      }
    }
  }

  /** The client says nothing more: whether the beginning of a method is anything is for the parser to say. */
  end(): void {
    const heldBytes = this.#held
    this.#held = undefined
    if (heldBytes !== undefined && !this.#isRefused) this.#feed(heldBytes)
  }

  /** Node's server takes nothing while its answers are not taken, and marks the connection so; no public property tells it. */
  #mustWait(): boolean {
    if (this.#socket.destroyed) return false
    return this.#isGivenAway || (this.#socket as { readonly _paused?: boolean })._paused === true
  }

  /** @returns how many bytes were read, at least one */
  #readPart(bytes: Buffer): number {
    switch (this.#place) {
      case 'line':
        return this.#readLine(bytes)
      case 'target':
        return this.#readTarget(bytes)
      case 'head':
        return this.#readHead(bytes)
      case 'body':
        return this.#readBody(bytes)
      case 'chunks':
        return this.#readChunks(bytes)
      case 'unknown':
        this.#feed(bytes)
        return bytes.length
    }
  }

  #readLine(bytes: Buffer): number {
    const heldLength = this.#held?.length ?? 0
    const all = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes])
    this.#held = undefined
    let begin = 0
    while (all[begin] === carriageReturn || all[begin] === lineFeed) begin++
    let end = begin
    while (end - begin <= methodLengthMax && ofTokens[all[end] ?? blank]) end++
    if (end === all.length && end - begin <= methodLengthMax) {
      if (begin > 0) this.#feedInside(all.subarray(0, begin))
      if (begin < end) this.#held = all.subarray(begin)
      return bytes.length
    }
    if (end === begin || all[end] !== blank || end - begin > methodLengthMax) {
      this.#place = 'unknown'
      this.#feed(all)
      return bytes.length
    }
    return this.#readRestOfLine(all, begin, end) - heldLength
  }

  /** @param begin where the method begins. @param end where the blank behind it is. @returns where in the bytes it has stopped */
  #readRestOfLine(bytes: Buffer, begin: number, end: number): number {
    const method = bytes.toString('latin1', begin, end)
    const isParsed = isParsedMethod(method)
    const lineBreak = bytes.indexOf(lineFeed, end)
    const targetEnd = lineBreak < 0 ? bytes.length : lineBreak + 1
    const target = bytes.subarray(isParsed ? begin : end + 1, targetEnd)
    const headBreak = lineBreak < 0 ? -1 : bytes.indexOf(headEnd, lineBreak - 1)
    const stop = headBreak < 0 ? bytes.length : headBreak + headEnd.length
    const isAsItCame = isParsed && isAscii(target)
    const head = isAsItCame
      ? bytes.subarray(0, stop)
      : Buffer.concat([
          isParsed ? nothing : standInFor(method),
          inAscii(target),
          bytes.subarray(targetEnd, stop),
        ])
    if (headBreak >= 0) {
      this.#endHead(this.#feed(head))
      return stop
    }
    this.#place = lineBreak < 0 ? 'target' : 'head'
    this.#tail = bytes.subarray(Math.max(lineBreak - 1, stop - headEnd.length + 1), stop)
    this.#feedInside(head)
    return stop
  }

  #readTarget(bytes: Buffer): number {
    const lineBreak = bytes.indexOf(lineFeed)
    const stop = lineBreak < 0 ? bytes.length : lineBreak + 1
    if (lineBreak >= 0) {
      this.#place = 'head'
      this.#tail = lineEnd
    }
    this.#feedInside(inAscii(bytes.subarray(0, stop)))
    return stop
  }

  #readHead(bytes: Buffer): number {
    const tail = this.#tail
    const seam = Buffer.concat([tail, bytes.subarray(0, headEnd.length - 1)]).indexOf(headEnd)
    const headBreak = seam < 0 ? bytes.indexOf(headEnd) : seam - tail.length
    if (seam < 0 && headBreak < 0) {
      const before = Buffer.concat([tail, bytes.subarray(1 - headEnd.length)])
      this.#tail = before.subarray(1 - headEnd.length)
      this.#feedInside(bytes)
      return bytes.length
    }
    const stop = headBreak + headEnd.length
    this.#endHead(this.#feed(bytes.subarray(0, stop)))
    return stop
  }

  /** @param request what the parser has told; undefined when it was something else than a request */
  #endHead(request: IncomingMessage | undefined): void {
    this.#request = undefined
    if (request === undefined) this.#place = 'unknown'
    else if (request.complete) this.#place = 'line'
    else if (request.headers['transfer-encoding'] !== undefined) {
      this.#place = 'chunks'
      this.#request = request
      this.#chunks = new ChunkedBody()
    } else {
      this.#left = Number(request.headers['content-length'])
      this.#request = request
      this.#place = this.#left > 0 ? 'body' : 'unknown'
    }
  }

  #readBody(bytes: Buffer): number {
    const stop = Math.min(bytes.length, this.#left)
    this.#left -= stop
    this.#feedInside(bytes.subarray(0, stop))
    if (this.#left === 0) this.#endBody()
    return stop
  }

  #readChunks(bytes: Buffer): number {
    let end: number
    try {
      end = this.#chunks.read(bytes, 0, unseen)
    } catch {
      // The parser refuses it as well, or reads on alone.
      this.#place = 'unknown'
      this.#feed(bytes)
      return bytes.length
    }
    const stop = end < 0 ? bytes.length : end
    this.#feedInside(bytes.subarray(0, stop))
    if (end >= 0) this.#endBody()
    return stop
  }

  #endBody(): void {
    if (this.#place !== 'unknown') this.#place = this.#request?.complete ? 'line' : 'unknown'
    this.#request = undefined
  }

  /** Gives the parser what cannot end a head. */
  #feedInside(bytes: Buffer): void {
    if (this.#feed(bytes) !== undefined) this.#place = 'unknown'
  }

  #feed(bytes: Buffer): IncomingMessage | undefined {
    this.#parser.parse(bytes)
    return this.#parser.takeRequest()
  }
}

/** Whether it is a whole head that begins with its method, and has nothing in it that would have to be rewritten. */
function isPlainHead(bytes: Buffer): boolean {
  const headBreak = bytes.indexOf(headEnd)
  if (headBreak < 0 || headBreak !== bytes.length - headEnd.length || !isAscii(bytes)) return false
  return isParsedMethod(bytes.toString('latin1', 0, bytes.indexOf(blank)))
}
