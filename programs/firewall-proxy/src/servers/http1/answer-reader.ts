import { errors } from 'undici'
import type { ServerAnswer } from '../server-connections.ts'
import { type AnswerHead, type BodyLength, malformedAnswer, readAnswerHead } from './answer-head.ts'
import { type BodyEvents, ChunkedBody } from './chunked-body.ts'

/** As for the answers of HTTP/2; longer heads are refused. */
const headSizeMax = 16 * 1024

/** Provisional answers altogether. */
const provisionalSizeMax = 64 * 1024

const headEnd = Buffer.from('\r\n\r\n')

/** Told what an answer is made of. Nothing is told any more once `isOver` says so, which is asked after each of the others. */
export interface AnswerEvents extends BodyEvents {
  onHead(answer: ServerAnswer): void
  /** @param persists whether the connection can be used again. @param keepAliveMs for how long the server keeps it, if it tells */
  onEnd(trailers: readonly string[], persists: boolean, keepAliveMs: number | undefined): void
  /** The server speaks something else from now on. @param rest what it has said of that */
  onTunnel(answer: ServerAnswer, rest: Buffer): void
}

const noTrailers: readonly string[] = []

/** Takes apart the answer to one request, strictly, from the bytes of a connection. */
export class AnswerReader {
  readonly #events: AnswerEvents
  readonly #isHead: boolean
  readonly #mayTunnel: boolean
  /** The beginning of a head. */
  #before: Buffer | undefined
  #provisionalSize = 0
  #head: AnswerHead | undefined
  #length: BodyLength = 0
  #chunks: ChunkedBody | undefined

  /** @param asked the request: the answer to HEAD has no body, and only who asks for a WebSocket gets one */
  constructor(asked: { readonly method: string; readonly asksForWebSocket: boolean }, events: AnswerEvents) {
    this.#events = events
    this.#isHead = asked.method === 'HEAD'
    this.#mayTunnel = asked.asksForWebSocket
  }

  /** Whether anything has come yet. */
  get hasBegun(): boolean {
    return this.#before !== undefined || this.#head !== undefined
  }

  /** Whether a part of a head has come: that is no answer yet, however long it goes on. */
  get isInsideHead(): boolean {
    return this.#before !== undefined && this.#before.length > 0
  }

  /** @throws errors.HTTPParserError, errors.HeadersOverflowError when it is not what HTTP/1.1 allows */
  read(bytes: Buffer): void {
    if (this.#head === undefined) this.#readHead(bytes)
    else this.#readBody(this.#head, bytes, 0)
  }

  /** The server says nothing more. @throws errors.SocketError when something is missing */
  end(): void {
    if (this.#head === undefined || this.#length !== 'until-close')
      throw new errors.SocketError('other side closed')
    this.#finish(this.#head, false)
  }

  #readHead(bytes: Buffer): void {
    let all = this.#before === undefined ? bytes : Buffer.concat([this.#before, bytes])
    for (;;) {
      const end = all.indexOf(headEnd)
      if ((end < 0 ? all.length : end) > headSizeMax) throw new errors.HeadersOverflowError()
      if (end < 0) {
        // The caller's memory is used again.
        this.#before = Buffer.from(all)
        return
      }
      const head = readAnswerHead(all.toString('latin1', 0, end + 2))
      const bodyAt = end + headEnd.length
      if (head.status >= 200) {
        this.#before = undefined
        this.#head = head
        this.#begin(head, all, bodyAt)
        return
      }
      this.#provisionalSize += bodyAt
      if (this.#provisionalSize > provisionalSizeMax) throw new errors.HeadersOverflowError()
      all = all.subarray(bodyAt)
      if (head.status === 101) {
        if (!this.#mayTunnel) throw malformedAnswer('It changes the protocol without having been asked to.')
        this.#events.onTunnel(head, all)
        return
      }
    }
  }

  #begin(head: AnswerHead, bytes: Buffer, from: number): void {
    const { status, length } = head
    this.#length = this.#isHead || status === 204 || status === 304 ? 0 : length
    if (this.#length === 'chunked') this.#chunks = new ChunkedBody()
    this.#events.onHead(head)
    if (!this.#events.isOver()) this.#readBody(head, bytes, from)
  }

  #readBody(head: AnswerHead, bytes: Buffer, from: number): void {
    if (this.#chunks) this.#readChunks(head, this.#chunks, bytes, from)
    else if (this.#length === 'until-close') {
      if (from < bytes.length) this.#events.onData(bytes.subarray(from), false)
    } else if (typeof this.#length === 'number') {
      const end = Math.min(bytes.length, from + this.#length)
      this.#length -= end - from
      const isLast = this.#length === 0
      if (end > from)
        this.#events.onData(end - from === bytes.length ? bytes : bytes.subarray(from, end), isLast)
      // What comes behind an answer is the answer to nothing.
      if (isLast && !this.#events.isOver()) this.#finish(head, this.#persists(head) && end === bytes.length)
    }
  }

  #readChunks(head: AnswerHead, chunks: ChunkedBody, bytes: Buffer, from: number): void {
    const end = chunks.read(bytes, from, this.#events)
    if (end >= 0) this.#events.onEnd(chunks.trailers, head.persists && end === bytes.length, head.keepAliveMs)
  }

  /** Who announces a body for an answer that never has one may send it, and that would be the next answer. */
  #persists({ status, length, persists }: AnswerHead): boolean {
    return persists && (status !== 204 || length === 'until-close' || length === 0)
  }

  #finish(head: AnswerHead, persists: boolean): void {
    this.#events.onEnd(noTrailers, persists, head.keepAliveMs)
  }
}
