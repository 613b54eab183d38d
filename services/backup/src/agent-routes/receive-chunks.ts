import { idSizeBytes, uploadHeaderSizeBytes } from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import { type BackupSession, isSealedEndToEnd } from '@palisade/vault'
import type { BufferPool } from './buffer-pool.ts'

/** How many chunks of one upload are on their way to the disk before the network has to wait. */
const chunksInFlightMax = 4

/** Where the chunks of an upload go. */
export type ChunkTarget = Pick<BackupSession, 'add'>

/**
 * Stores the chunks of an upload as they arrive: `id (32)  length u32  sealed bytes`, again and again. Holds a few
 * chunks in memory whatever the size of the upload. Resolves when all are with the vault, which has opened each.
 *
 * @param pieces the upload; a piece is the reader's alone and its memory is freed
 * @param endToEnd whether the computer seals its chunks with a key of its own: the only ones that are taken then. A chunk that the
 *   vault cannot open could otherwise take the id of one that it can
 * @throws RequestRefused bad-request when the upload is not frames, or a chunk is larger than this vault's can be or sealed otherwise
 * @throws VaultFailure what storing fails with; `damaged` when a chunk is not what its id names
 */
export async function receiveChunks(
  pieces: AsyncIterable<Buffer>,
  target: ChunkTarget,
  buffers: BufferPool,
  endToEnd: boolean,
): Promise<void> {
  const receiver = new Receiver(target, buffers, endToEnd)
  try {
    for await (const piece of pieces) {
      await receiver.take(piece)
      freeMemory(piece)
    }
    receiver.assertComplete()
  } finally {
    await receiver.settled()
  }
  receiver.throwFailure()
}

class Receiver {
  readonly #target: ChunkTarget
  readonly #buffers: BufferPool
  readonly #endToEnd: boolean
  readonly #header = Buffer.alloc(uploadHeaderSizeBytes)
  #headerFilled = 0
  /** The chunk that is arriving. */
  #chunk: { readonly buffer: Buffer; readonly sizeBytes: number } | undefined
  #chunkFilled = 0
  readonly #inFlight = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(target: ChunkTarget, buffers: BufferPool, endToEnd: boolean) {
    this.#target = target
    this.#buffers = buffers
    this.#endToEnd = endToEnd
  }

  async take(piece: Buffer): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      at = this.#chunk ? this.#fillChunk(this.#chunk, piece, at) : this.#fillHeader(piece, at)
      if (this.#inFlight.size >= chunksInFlightMax) await Promise.race(this.#inFlight)
      this.throwFailure()
    }
  }

  assertComplete(): void {
    if (this.#chunk || this.#headerFilled > 0) throw malformed('it ends inside a chunk')
  }

  /** Waits until nothing is on its way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight)
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  #fillHeader(piece: Buffer, at: number): number {
    const copied = piece.copy(this.#header, this.#headerFilled, at)
    this.#headerFilled += copied
    if (this.#headerFilled === uploadHeaderSizeBytes) this.#beginChunk(this.#header.readUInt32LE(idSizeBytes))
    return at + copied
  }

  #beginChunk(sizeBytes: number): void {
    const sizeMaxBytes = this.#buffers.sizeBytes
    if (sizeBytes === 0 || sizeBytes > sizeMaxBytes) throw malformed(`a chunk has 1 to ${sizeMaxBytes} bytes`)
    this.#chunk = { buffer: this.#buffers.take(), sizeBytes }
    this.#chunkFilled = 0
  }

  #fillChunk(chunk: { buffer: Buffer; sizeBytes: number }, piece: Buffer, at: number): number {
    const end = Math.min(piece.length, at + chunk.sizeBytes - this.#chunkFilled)
    this.#chunkFilled += piece.copy(chunk.buffer, this.#chunkFilled, at, end)
    if (this.#chunkFilled === chunk.sizeBytes) this.#store(chunk)
    return end
  }

  #store({ buffer, sizeBytes }: { buffer: Buffer; sizeBytes: number }): void {
    const sealed = buffer.subarray(0, sizeBytes)
    if (isSealedEndToEnd(sealed) !== this.#endToEnd) throw sealedOtherwise(this.#endToEnd)
    const stored = this.#target
      .add(this.#header.subarray(0, idSizeBytes), sealed)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#buffers.give(buffer)
        this.#inFlight.delete(stored)
      })
    this.#inFlight.add(stored)
    this.#chunk = undefined
    this.#headerFilled = 0
  }
}

/**
 * Frees a piece now instead of leaving it to the garbage collector, which would stop everything every 64 MiB to look for such
 * memory. An ArrayBuffer gives its memory back when it is transferred to one of no length; there is no other call for that. A
 * piece that shares its memory with others is left alone.
 */
function freeMemory(piece: Buffer): void {
  const memory = piece.buffer
  if (memory instanceof ArrayBuffer && memory.byteLength === piece.length) memory.transfer(0)
}

function sealedOtherwise(endToEnd: boolean): RequestRefused {
  const expected = endToEnd ? 'a key of its own' : 'the keys of the vault'
  return new RequestRefused(
    'bad-request',
    `The backups of this computer are sealed with ${expected}, and this chunk is not.`,
  )
}

function malformed(why: string): RequestRefused {
  return new RequestRefused('bad-request', `The body is not chunks: ${why}.`)
}
