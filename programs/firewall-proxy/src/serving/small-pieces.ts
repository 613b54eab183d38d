import type { Socket } from 'node:net'

/**
 * What clients may have a worker do by little: bytes in frames or chunks of their own, and requests that they take back. Each costs a
 * worker microseconds, whoever sends them costs nothing, and the system hands over up to two mebibytes of a connection at once, which
 * can be two hundred thousand pieces.
 *
 *     read ──► more than `turnMax` in this turn of the event loop? ──► read no further ──► wait in line ──► read ──► …
 *
 * One of those that wait is read from in each turn, so that a turn has one block of pieces (64 KiB at most), however many connections send
 * such. That slows down who sends many pieces, and nobody else. Who goes on, far beyond what applications do, is sent away.
 */

/** Pieces as long as this, in bytes, cost no more than other bytes; shorter ones count for the part that they lack of it. */
const ordinaryBytes = 512

/** Pieces of one connection in one turn of the event loop, before it has to wait for the next one. */
const turnMax = 200

/** What a connection has at once, and what it gets each second: 10,000 messages of a byte a second can go on for ever. */
const burst = 200_000
const perSecond = 10_000

/** A request that is taken back counts for so many pieces: 500 may be taken back at once, and 25 a second. */
const resetCost = 400

/** Those that wait to be read from. */
const waiting: SmallPieces[] = []

/** Tells turns of the event loop from each other, as far as pieces come in them. */
let turn = 0
let isTurnCounted = false

/** The small pieces of one connection. */
export class SmallPieces {
  readonly #socket: Socket
  readonly #onExcess: (detail: string) => void
  #turn = -1
  #inTurn = 0
  #spent = 0
  #spentSince = performance.now()
  #isWaiting = false
  #isOver = false

  /**
   * @param socket the connection as the system gave it, below TLS
   * @param onExcess told once, when it has sent far too many: a sentence
   */
  constructor(socket: Socket, onExcess: (detail: string) => void) {
    this.#socket = socket
    this.#onExcess = onExcess
  }

  /** A piece of a body has come. */
  count(bytes: number): void {
    if (bytes < ordinaryBytes)
      this.#spend(1 - bytes / ordinaryBytes, 'Its body came in too many small pieces.')
  }

  /** The client has taken a request back, or done something for which it was ended. */
  countReset(): void {
    this.#spend(resetCost, 'It took too many requests back.')
  }

  /** It may be read from again. */
  goOn(): void {
    this.#isWaiting = false
    handleOf(this.#socket)?.readStart?.()
  }

  #spend(pieces: number, detail: string): void {
    if (this.#isOver) return
    this.#spent += pieces
    if (this.#spent > burst && this.#isBeyondRate()) {
      this.#isOver = true
      this.#onExcess(detail)
      return
    }
    if (this.#turn !== turnOfNow()) {
      this.#turn = turn
      this.#inTurn = 0
    }
    this.#inTurn += pieces
    if (this.#inTurn > turnMax && !this.#isWaiting) this.#wait()
  }

  #isBeyondRate(): boolean {
    const now = performance.now()
    this.#spent = Math.max(0, this.#spent - ((now - this.#spentSince) / 1000) * perSecond)
    this.#spentSince = now
    return this.#spent > burst
  }

  #wait(): void {
    this.#isWaiting = true
    handleOf(this.#socket)?.readStop?.()
    if (waiting.push(this) === 1) setImmediate(letOneGoOn)
  }
}

function letOneGoOn(): void {
  waiting.shift()?.goOn()
  if (waiting.length > 0) setImmediate(letOneGoOn)
}

function turnOfNow(): number {
  if (!isTurnCounted) {
    isTurnCounted = true
    setImmediate(() => {
      isTurnCounted = false
      turn++
    })
  }
  return turn
}

/** What Node reads a connection by: no public way leads to it where TLS or HTTP/2 have taken the connection over. */
interface Handle {
  readStart?(): number
  readStop?(): number
}

function handleOf(socket: Socket): Handle | undefined {
  return (socket as { readonly _handle?: Handle | null })._handle ?? undefined
}
