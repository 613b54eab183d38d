import type { Transform } from 'node:stream'
import { withoutHeader } from '../exchange/headers.ts'
import { forgetBytes } from '../exchange/response-head.ts'
import { asError } from '../failure.ts'
import type { AnswerControl, ServerAnswer } from '../servers/server-connections.ts'
import { decoderOf } from './content-coding.ts'

/** Told the body as it reads without its coding: any number of `onData`, then `onEnd`, or at any time `onFailure`. */
interface DecodedEvents {
  onData(bytes: Buffer): void
  /** @param trailers names and values in turn */
  onEnd(trailers: readonly string[]): void
  /** The body is not in its coding. */
  onFailure(error: Error): void
}

/**
 * Takes the content coding of an answer away while that comes. No more of it is held than a stream holds: the server is not read faster
 * than the plain body is taken, however much longer that is. Who has the hold on this has the one on the answer.
 */
export class AnswerDecoding implements AnswerControl {
  /** The answer with a head that is true of the plain body. */
  readonly answer: ServerAnswer
  readonly #makeStream: (first: Buffer) => Transform
  readonly #control: AnswerControl | undefined
  readonly #events: DecodedEvents
  #stream: Transform | undefined
  #isPaused = false
  #trailers: readonly string[] = []

  private constructor(
    { status, message, headers }: ServerAnswer,
    makeStream: (first: Buffer) => Transform,
    control: AnswerControl | undefined,
    events: DecodedEvents,
  ) {
    const head = { headers: withoutHeader(withoutHeader(headers, 'content-encoding'), 'content-length') }
    forgetBytes(head)
    this.answer = { status, message, headers: head.headers }
    this.#makeStream = makeStream
    this.#control = control
    this.#events = events
  }

  /** @param control of the coded answer @returns undefined for a coding that is not known, and for several */
  static of(
    answer: ServerAnswer,
    control: AnswerControl | undefined,
    events: DecodedEvents,
  ): AnswerDecoding | undefined {
    const makeStream = decoderOf(answer.headers)
    return makeStream && new AnswerDecoding(answer, makeStream, control, events)
  }

  /** Takes a piece of the coded body. */
  write(chunk: Buffer): void {
    this.#stream ??= this.#begun(chunk)
    const stream = this.#stream
    if (stream.write(chunk) || stream.destroyed) return
    this.#control?.pause()
    stream.once('drain', () => this.#control?.resume())
  }

  /** The coded body has ended. @param trailers names and values in turn */
  end(trailers: readonly string[]): void {
    this.#trailers = trailers
    if (this.#stream) this.#stream.end()
    else this.#events.onEnd(trailers)
  }

  destroy(): void {
    this.#stream?.destroy()
  }

  abort(reason: Error): void {
    this.destroy()
    this.#control?.abort(reason)
    // The server may have said everything already.
    this.#events.onFailure(reason)
  }

  pause(): void {
    this.#isPaused = true
    this.#stream?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#stream?.resume()
  }

  #begun(first: Buffer): Transform {
    const stream = this.#makeStream(first)
    stream.on('data', (bytes: Buffer) => this.#tell(() => this.#events.onData(bytes)))
    stream.on('end', () => this.#tell(() => this.#events.onEnd(this.#trailers)))
    stream.on('error', (error) => this.abort(error))
    if (this.#isPaused) stream.pause()
    return stream
  }

  /** What fails here would have nobody else to be told. */
  #tell(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.abort(asError(error))
    }
  }
}
