import { Worker } from 'node:worker_threads'
import { VaultFailure } from '../failure.ts'
import type { VerificationKeys } from '../keys/derive.ts'
import type { PatchedChunk } from '../revision/revision-chunks.ts'
import type { SealedPlace, VerifyAnswer, VerifyJob } from './messages.ts'

/** A vault is verified now and then; in between its thread takes no memory. */
const idleMaxMs = 10_000
/** The thread makes few small objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 2 }

interface Waiting {
  resolve(damaged: readonly number[]): void
  reject(error: Error): void
}

/**
 * Verifies sealed chunks in a thread of its own, so that whoever serves others in this one is not held up. The thread is
 * started when there is work, and ended when there was none for a while. It keeps the process alive while it works.
 */
export class ChunkVerifier {
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #lastNumber = 0
  #closed = false

  /**
   * Opens chunks and compares them with their names, as far as the keys allow (see `verifyChunk`).
   *
   * @param bytes are given away when their memory is theirs alone, and copied otherwise
   * @returns the indexes of the places whose chunks are not what they should be
   * @throws VaultFailure `closed`
   */
  damaged(
    bytes: Uint8Array,
    places: readonly SealedPlace[],
    keys: VerificationKeys,
    chunkSizeBytes: number,
  ): Promise<readonly number[]> {
    if (places.length === 0) return Promise.resolve([])
    // What is sent takes all of its memory along, which may be a long list of ids.
    const copies = places.map(({ id, offset, lengthBytes }) => ({
      id: Uint8Array.from(id),
      offset,
      lengthBytes,
    }))
    return this.#ask({ bytes: ownMemory(bytes), places: copies, keys: copyOf(keys), chunkSizeBytes })
  }

  /**
   * Puts patched chunks together, as far as the keys allow, and names them.
   *
   * @returns the indexes of those whose content is not what they are named
   * @throws VaultFailure `closed`
   */
  misfits(
    chunks: readonly Pick<PatchedChunk, 'name' | 'base' | 'patch'>[],
    keys: VerificationKeys,
    chunkSizeBytes: number,
  ): Promise<readonly number[]> {
    const sealed = chunks.flatMap(({ base, patch }) => [base, patch])
    if (sealed.length === 0) return Promise.resolve([])
    let offset = 0
    const places = sealed.map(({ id, sealed: { length: lengthBytes } }) => {
      const place = { id: Uint8Array.from(id), offset, lengthBytes }
      offset += lengthBytes
      return place
    })
    const bytes = new Uint8Array(offset)
    for (const [index, { offset: start }] of places.entries()) bytes.set(sealed[index]?.sealed ?? [], start)
    const patched = chunks.map(({ name }, index) => ({
      name: Uint8Array.from(name),
      base: 2 * index,
      patch: 2 * index + 1,
    }))
    return this.#ask({ bytes, places, patched, keys: copyOf(keys), chunkSizeBytes })
  }

  /** Ends the thread; what it was at is rejected. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  /** The memory of the bytes is given away. */
  #ask(job: Omit<VerifyJob, 'number'>): Promise<readonly number[]> {
    if (this.#closed) return Promise.reject(closed())
    const number = ++this.#lastNumber
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      clearTimeout(this.#idleTimer)
      this.#thread ??= this.#start()
      this.#thread.ref()
      this.#thread.postMessage({ ...job, number }, [job.bytes.buffer])
    })
  }

  #start(): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const thread = new Worker(new URL(`./verify-thread.${extension}`, import.meta.url), { resourceLimits })
    thread.on('message', (answer: VerifyAnswer) => this.#take(answer))
    thread.on('error', (error) => this.#failAll(error))
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      this.#failAll(closed())
    })
    return thread
  }

  #take(answer: VerifyAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if (this.#waiting.size === 0) {
      this.#thread?.unref()
      this.#idleTimer = setTimeout(() => this.#end(), idleMaxMs).unref()
    }
    if ('damaged' in answer) waiting?.resolve(answer.damaged)
    else waiting?.reject(new Error(answer.failure))
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

/** Memory that can be given away: small buffers share theirs with others. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
  return isOwn ? new Uint8Array(buffer) : Uint8Array.from(bytes)
}

/** The keys alone, out of whatever they are a part of. */
function copyOf({ chunks: { naming, sealing }, marking }: VerificationKeys): VerificationKeys {
  const chunks = { naming: Uint8Array.from(naming), sealing: Uint8Array.from(sealing) }
  return { chunks, marking: Uint8Array.from(marking) }
}

function closed(): VaultFailure {
  return new VaultFailure('closed', 'the vault is closed')
}
