import {
  type ChunkFrame,
  downloadHeaderSizeBytes,
  FrameError,
  idSizeBytes,
} from '@palisade/agent-protocol/wire'

/**
 * Cuts a downloaded body into chunk frames as it arrives. A frame that lies inside one piece is handed on
 * without a copy; one that does not is put together in a buffer that is used again.
 */
export class FrameCutter {
  readonly #sealed: Buffer
  readonly #onFrame: (frame: ChunkFrame) => void
  readonly #header = Buffer.alloc(downloadHeaderSizeBytes)
  #headerBytes = 0
  #sealedBytes = 0

  /**
   * @param buffer holds a chunk that arrives in pieces; one that is larger than this is refused before it arrives
   * @param onFrame is given views that are valid until it returns
   */
  constructor(buffer: Buffer, onFrame: (frame: ChunkFrame) => void) {
    this.#sealed = buffer
    this.#onFrame = onFrame
  }

  /** @throws FrameError when a chunk is too large */
  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#headerBytes < downloadHeaderSizeBytes) at = this.#takeHeader(bytes, at)
      if (this.#headerBytes === downloadHeaderSizeBytes) at = this.#takeSealed(bytes, at)
    }
  }

  /** @throws FrameError when the body ended inside a frame */
  end(): void {
    if (this.#headerBytes > 0) throw new FrameError('the stream ends inside a chunk')
  }

  #takeHeader(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + downloadHeaderSizeBytes - this.#headerBytes)
    this.#headerBytes += bytes.copy(this.#header, this.#headerBytes, at, end)
    return end
  }

  #takeSealed(bytes: Buffer, at: number): number {
    const sizeBytes = this.#header.readUInt32LE(downloadHeaderSizeBytes - 4)
    if (sizeBytes > this.#sealed.length) throw new FrameError(`a chunk of ${sizeBytes} bytes is too large`)
    const end = Math.min(bytes.length, at + sizeBytes - this.#sealedBytes)
    if (this.#sealedBytes === 0 && end - at === sizeBytes) {
      this.#complete(bytes.subarray(at, end))
      return end
    }
    this.#sealedBytes += bytes.copy(this.#sealed, this.#sealedBytes, at, end)
    if (this.#sealedBytes === sizeBytes) this.#complete(this.#sealed.subarray(0, sizeBytes))
    return end
  }

  #complete(sealed: Buffer): void {
    const idAt = downloadHeaderSizeBytes - 4 - idSizeBytes
    const frame = {
      index: this.#header.readUInt32LE(0),
      id: this.#header.subarray(idAt, idAt + idSizeBytes),
      sealed,
    }
    this.#headerBytes = 0
    this.#sealedBytes = 0
    this.#onFrame(frame)
  }
}
