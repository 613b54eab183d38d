import {
  type ChunkFrame,
  downloadHeaderSizeBytes,
  idSizeBytes,
  sealedSizeMaxBytes,
  uploadHeaderSizeBytes,
} from './frames.ts'

/** The bytes on the wire are not frames. */
export class FrameError extends Error {}

/**
 * Cuts a stream of bytes into chunk frames. Frames are handed over as they complete; a frame that lies inside
 * one piece of the stream is not copied.
 *
 * @param direction which of the two headers stands before each chunk
 * @throws FrameError when a frame is larger than {@link sealedSizeMaxBytes} or the stream ends inside one
 */
export async function* readFrames(
  pieces: AsyncIterable<Buffer>,
  direction: 'upload' | 'download',
): AsyncGenerator<ChunkFrame, void, undefined> {
  const headerSize = direction === 'upload' ? uploadHeaderSizeBytes : downloadHeaderSizeBytes
  const idAt = headerSize - 4 - idSizeBytes
  const queue = new ByteQueue()
  let header: Buffer | undefined
  for await (const piece of pieces) {
    queue.push(piece)
    for (;;) {
      header ??= queue.take(headerSize)
      if (header === undefined) break
      const size = header.readUInt32LE(headerSize - 4)
      if (size > sealedSizeMaxBytes) throw new FrameError(`a chunk of ${size} bytes is too large`)
      const sealed = queue.take(size)
      if (sealed === undefined) break
      yield {
        index: direction === 'upload' ? -1 : header.readUInt32LE(0),
        id: header.subarray(idAt, idAt + idSizeBytes),
        sealed,
      }
      header = undefined
    }
  }
  if (header !== undefined || queue.sizeBytes > 0) throw new FrameError('the stream ends inside a chunk')
}

/** Pieces of a stream, to be taken in other sizes than they came in. */
class ByteQueue {
  readonly #pieces: Buffer[] = []
  sizeBytes = 0

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.sizeBytes += piece.length
  }

  /** The next `size` bytes, or undefined when they have not all arrived. */
  take(size: number): Buffer | undefined {
    if (this.sizeBytes < size) return undefined
    this.sizeBytes -= size
    const first = this.#pieces[0]
    if (first !== undefined && first.length >= size) return this.#takeFrom(first, size)
    const frame = Buffer.allocUnsafe(size)
    let filled = 0
    while (filled < size) {
      const piece = this.#pieces[0]
      if (piece === undefined) throw new Error('the queue holds less than it counted')
      filled += this.#takeFrom(piece, Math.min(piece.length, size - filled)).copy(frame, filled)
    }
    return frame
  }

  /** The first `size` bytes of the first piece. */
  #takeFrom(first: Buffer, size: number): Buffer {
    if (size === first.length) this.#pieces.shift()
    else this.#pieces[0] = first.subarray(size)
    return first.subarray(0, size)
  }
}
