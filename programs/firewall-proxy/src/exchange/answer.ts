import type { Transform } from 'node:stream'

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
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
  /** A page of our own when there is none. */
  readonly body?: Buffer | string
  /** Whether the connection is ended instead, without a word. */
  readonly resets?: boolean
  /** Whether everything else that goes over the same connection of HTTP/2 ends with it. */
  readonly endsSession?: boolean
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
