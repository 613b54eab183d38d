import { VaultFailure } from '../../failure.ts'
import type { ObjectWriter } from '../backend.ts'
import type { Places } from './places.ts'
import type { S3Bucket, UploadedPart } from './s3-bucket.ts'

/** Parts but the last have at least 5 MiB. */
export const partBytes = 8 * 1024 * 1024
/**
 * So many parts are on their way at once, of all objects of a vault together, and in memory; each object that is being written has one
 * more that is being filled. Storage that answers late gets the more of them at a time.
 */
export const partsAtOnceMax = 8

/** What of the backend a writer needs. */
export interface WriterPorts {
  readonly bucket: S3Bucket
  /** Of parts that are on their way. */
  readonly places: Places
  /** Resolves when the storage is ours, with a signal that is aborted when it is no more. */
  permit(): Promise<AbortSignal | undefined>
}

/**
 * Writes an object as it comes: in one request when it is no longer than a part, otherwise as an upload in parts, of which
 * some are on their way while the next is being filled. Either becomes visible as a whole, with its last request.
 */
export class S3Writer implements ObjectWriter {
  readonly #name: string
  readonly #ports: WriterPorts
  #part = Buffer.allocUnsafe(0)
  #filled = 0
  #upload: Promise<string> | undefined
  /** In their order; all of them have ended, or one has failed, when the last has. */
  readonly #parts: Promise<UploadedPart>[] = []
  #failure: { readonly error: unknown } | undefined
  #state: 'open' | 'committed' | 'given-up' = 'open'

  constructor(name: string, ports: WriterPorts) {
    this.#name = name
    this.#ports = ports
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    this.#assertOpen()
    await this.#orAbort(async () => {
      for (const piece of pieces) await this.#append(piece)
    })
  }

  async commit(): Promise<void> {
    this.#assertOpen()
    await this.#orAbort(async () => {
      const { bucket } = this.#ports
      if (this.#upload === undefined) {
        await bucket.put(this.#name, this.#part.subarray(0, this.#filled), {
          signal: await this.#ports.permit(),
        })
        return
      }
      if (this.#filled > 0) await this.#sendPart()
      const parts = await Promise.all(this.#parts)
      await bucket.completeUpload(this.#name, await this.#upload, parts, await this.#ports.permit())
    })
    this.#state = 'committed'
    this.#part = Buffer.allocUnsafe(0)
  }

  async abort(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'given-up'
    this.#part = Buffer.allocUnsafe(0)
    // A part that ends after the abort would stay behind.
    await Promise.allSettled(this.#parts)
    const upload = await this.#upload?.catch(() => undefined)
    if (upload !== undefined) await this.#ports.bucket.abortUpload(this.#name, upload)
  }

  async #append(piece: Uint8Array): Promise<void> {
    for (let offset = 0; offset < piece.length; ) {
      // A full part goes when more comes, so that an object of exactly one part needs one request.
      if (this.#filled === partBytes) await this.#sendPart()
      this.#makeRoom(piece.length - offset)
      const length = Math.min(piece.length - offset, this.#part.length - this.#filled)
      this.#part.set(piece.subarray(offset, offset + length), this.#filled)
      this.#filled += length
      offset += length
    }
  }

  /** Small objects take little memory; those that grow, a part's. */
  #makeRoom(bytes: number): void {
    const needed = Math.min(partBytes, this.#filled + bytes)
    if (needed <= this.#part.length) return
    const larger = Buffer.allocUnsafeSlow(Math.min(partBytes, Math.max(needed, this.#part.length * 2)))
    larger.set(this.#part.subarray(0, this.#filled))
    this.#part = larger
  }

  /** Waits for a place and sends what is filled; it is on its way when this resolves. */
  async #sendPart(): Promise<void> {
    const content = this.#part.subarray(0, this.#filled)
    this.#part = Buffer.allocUnsafe(0)
    this.#filled = 0
    await this.#ports.places.take()
    if (this.#failure) {
      this.#ports.places.giveBack()
      throw this.#failure.error
    }
    this.#upload ??= this.#begin()
    const sending = this.#send(this.#upload, this.#parts.length + 1, content).finally(() =>
      this.#ports.places.giveBack(),
    )
    this.#parts.push(sending)
    // Whoever sends or commits next hears of a failure.
    sending.catch((error: unknown) => {
      this.#failure ??= { error }
    })
  }

  async #begin(): Promise<string> {
    return this.#ports.bucket.beginUpload(this.#name, await this.#ports.permit())
  }

  async #send(upload: Promise<string>, number: number, content: Uint8Array): Promise<UploadedPart> {
    const id = await upload
    return this.#ports.bucket.uploadPart(this.#name, id, number, content, await this.#ports.permit())
  }

  async #orAbort(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      // The first failure counts; parts that stay behind go when the vault is opened again.
      await this.abort().catch(() => undefined)
      throw error
    }
  }

  #assertOpen(): void {
    if (this.#state !== 'open') throw new VaultFailure('closed', 'the object is no longer being written')
  }
}
