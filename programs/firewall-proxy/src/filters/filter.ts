import type { Transform } from 'node:stream'
import type { Exchange } from '../traffic/exchange.ts'

/**
 * One thing that a service does with requests and responses besides carrying them: allow, refuse, rewrite, encrypt. A filter
 * belongs to a runtime, so it may keep what it has prepared and counted; everything of one request is in its exchange.
 *
 * A request goes through all filters of a stage in their order. The first answer ends it: nothing further sees the request.
 */
export interface Filter {
  /**
   * Before the rules. What it changes of `exchange.target` and `exchange.headers` is what the rules and the server see.
   *
   * @returns what the client gets instead of the server's answer
   */
  readonly onRequest?: (exchange: Exchange) => Answer | undefined
  /** Whether `onBody` wants to see the body of this request. */
  readonly wantsBody?: (exchange: Exchange) => boolean
  /** Before the rules see it. The body is passed on as it came. */
  readonly onBody?: (exchange: Exchange, body: RequestBody) => Answer | undefined
  /** After the rules: what it changes of `exchange.target` and `exchange.headers` is what the server sees. */
  readonly onJudged?: (exchange: Exchange) => Answer | undefined
  /** Whether it may want to read the body of the answer, which is then asked for without compression. */
  readonly readsAnswers?: boolean
  /** Whether it looks at the body of this request's answer also where the type of that, in lower case, does not say that it is text. */
  readonly readsType?: (exchange: Exchange, type: string) => boolean
  /**
   * After the rules on the answer's headers. It may change the head.
   *
   * @returns what is to be done to the body, or what the client gets instead of all of it
   */
  readonly onResponse?: (exchange: Exchange, head: ResponseHead) => BodyFilter | Answer | undefined
  /** What follows the body of a server's answer. @returns what of it the client gets; names and values in turn */
  readonly onTrailers?: (exchange: Exchange, trailers: readonly string[]) => readonly string[]
}

/** A request's body as far as it was read. */
export interface RequestBody {
  readonly bytes: Buffer
  /** Whether that is all of it; otherwise it is longer than what is looked at. */
  readonly isWhole: boolean
}

/** What the client gets from us. */
export interface Answer {
  readonly status: number
  /** Besides those that frame it. */
  readonly headers?: Readonly<Record<string, string>>
  /** A page of our own when there is none. */
  readonly body?: Buffer | string
  /** Whether the connection is ended instead, without a word. */
  readonly resets?: boolean
}

/** An answer's head, as the client will get it. */
export interface ResponseHead {
  status: number
  message: string
  /** Names and values in turn, as byte strings. */
  headers: string[]
  /** Compresses the body, after everything else; its end is the body's end. */
  encoder?: Transform
}

/** Changes a body on its way. Whoever returns one leaves the headers that speak of the body true but for its length. */
export interface BodyFilter {
  /**
   * Whether the head waits for the whole body, as far as that is within the limit of bodies that are looked at: only then can an
   * answer still take its place.
   */
  readonly holds?: boolean
  /** Whether as many bytes go on as come, so that a length that was told stays true. */
  readonly keepsLength?: boolean
  /** @returns what of the body can go on, or what ends it */
  transform(chunk: Buffer): Buffer | Answer
  /** @returns what is left at the end */
  flush(): Buffer | Answer
}

/** Tells an answer from bytes and from what filters bodies. */
export function isAnswer(
  outcome: Answer | BodyFilter | readonly BodyFilter[] | Buffer | readonly string[],
): outcome is Answer {
  return 'status' in outcome
}

/** Asks one after the other until one has an answer. */
export function firstAnswer<Asked>(
  all: readonly Asked[],
  ask: (one: Asked) => Answer | undefined,
): Answer | undefined {
  for (const one of all) {
    const answer = ask(one)
    if (answer !== undefined) return answer
  }
  return undefined
}
