import { VaultFailure } from '../failure.ts'
import { asBuffer, chunkIdBytes } from './chunk-id.ts'

/**
 * An ordered list of chunk ids, 32 bytes each, in one buffer: a revision of a tebibyte is 64 MiB instead of two million
 * objects. At a position without a stored chunk, because the volume is zero there, the id is 32 zero bytes.
 */
export class ChunkList {
  readonly bytes: Buffer
  readonly length: number
  readonly #view: DataView

  /** Takes the ids as they come over the wire, without copying. The length is a multiple of 32. */
  constructor(bytes: Uint8Array) {
    if (bytes.length % chunkIdBytes !== 0) {
      throw new VaultFailure(
        'invalid-argument',
        `a list of chunk ids has a multiple of ${chunkIdBytes} bytes`,
      )
    }
    this.bytes = asBuffer(bytes)
    this.length = bytes.length / chunkIdBytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** A list of `length` zero chunks, to be filled with `set`. */
  static ofZeros(length: number): ChunkList {
    return new ChunkList(Buffer.alloc(length * chunkIdBytes))
  }

  static of(...ids: readonly Uint8Array[]): ChunkList {
    return new ChunkList(Buffer.concat(ids))
  }

  /** The id at a position, as a view. */
  id(position: number): Buffer {
    return this.bytes.subarray(position * chunkIdBytes, (position + 1) * chunkIdBytes)
  }

  set(position: number, id: Uint8Array): void {
    if (id.length !== chunkIdBytes || position >= this.length) {
      throw new VaultFailure(
        'invalid-argument',
        `no chunk id of ${id.length} bytes fits at position ${position}`,
      )
    }
    this.bytes.set(id, position * chunkIdBytes)
  }

  isZero(position: number): boolean {
    for (let index = 0; index < chunkIdBytes / 4; index++) if (this.word(position, index) !== 0) return false
    return true
  }

  /** The `index`th 32-bit word of an id, for tables that compare ids without making objects of them. */
  word(position: number, index: number): number {
    return this.#view.getInt32(position * chunkIdBytes + index * 4, true)
  }
}
