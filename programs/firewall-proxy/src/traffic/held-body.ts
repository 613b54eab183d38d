import type { Transaction } from '@palisade/seclang'
import type { LentBytes } from '../servers/server-connections.ts'

/** A piece of a body, as it was read. */
export interface HeldPiece {
  readonly bytes: Buffer
  /** Present where it can be given back. */
  readonly lent: LentBytes | undefined
}

/** Where pieces are put together to be read at once. */
let shared = Buffer.allocUnsafeSlow(0)

/** The beginning of a body, held back until it was looked at. */
export class HeldBody {
  /** Present where rules want to see it. */
  readonly transaction: Transaction | undefined
  readonly pieces: HeldPiece[] = []
  readonly #limitBytes: number
  #size = 0

  constructor(transaction: Transaction | undefined, limitBytes: number) {
    this.transaction = transaction
    this.#limitBytes = limitBytes
  }

  /** Whether it is longer than what is held at most. */
  get isTooLong(): boolean {
    return this.#size > this.#limitBytes
  }

  add(bytes: Buffer, lent: LentBytes | undefined): void {
    this.pieces.push({ bytes, lent })
    this.#size += bytes.length
  }

  /** All of it, in memory that the next call of any body uses again: for those who keep nothing of it. */
  look(): Buffer {
    const [first] = this.pieces
    if (first !== undefined && this.pieces.length === 1) return first.bytes
    if (shared.length < this.#size) shared = Buffer.allocUnsafeSlow(this.#size)
    let at = 0
    for (const { bytes } of this.pieces) at += bytes.copy(shared, at)
    return shared.subarray(0, at)
  }

  /** All of it, to be kept. Gives back what was copied. */
  take(): Buffer {
    const [first] = this.pieces
    if (first !== undefined && this.pieces.length === 1) return first.bytes
    const all = Buffer.concat(this.pieces.map(({ bytes }) => bytes))
    for (const { bytes, lent } of this.pieces) lent?.giveBack(bytes)
    return all
  }
}
