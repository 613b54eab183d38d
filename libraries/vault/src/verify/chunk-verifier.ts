import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { VaultFailure } from '../failure.ts'
import type { VerificationKeys } from '../keys/derive.ts'
import type { PatchedChunk } from '../revision/revision-chunks.ts'
import type { SealedPlace, VerifyAnswer, VerifyJob } from './messages.ts'
import { damagedIn } from './verify-job.ts'

/** Without work for this long the threads end, and take no memory. */
const idleMaxMs = 10_000
/** A thread makes few small objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 2 }
/** Opened chunks of so many bytes take a millisecond, and the start of a thread some hundred. Sealed ones tell nothing: zeros take no room. */
const smallJobMaxBytes = 256 * 1024
/** A thread verifies some hundreds of mebibytes a second, which is more than most storages write. */
const threadsMaxDefault = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))

interface Waiting {
  resolve(damaged: readonly number[]): void
  reject(error: Error): void
}

/** One of the threads, and the jobs that it has not answered. */
interface VerifyThread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

/**
 * Verifies sealed chunks in threads of its own, so that whoever serves others in this one is not held up; small ones at once. A
 * thread is started when there is work and the others are busy; all end when there was none for a while. A thread keeps the
 * process alive while it works.
 */
export class ChunkVerifier {
  readonly #threads = new Set<VerifyThread>()
  readonly #threadsMax: number
  #idleTimer: NodeJS.Timeout | undefined
  #lastNumber = 0
  #closed = false

  /** @param threadsMax how many threads work at once; half the processors, at most four, when left out */
  constructor(threadsMax = threadsMaxDefault) {
    this.#threadsMax = threadsMax
  }

  /**
   * Opens chunks and compares them with their names, as far as the keys allow (see `verifyChunk`).
   *
   * @param bytes are given away when their memory is theirs alone, looked at where they are when it is shared between threads, and
   *   copied otherwise
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

  /** Ends the threads; what they were at is rejected. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  /** The memory of the bytes is given away, unless threads share it. */
  async #ask(job: Omit<VerifyJob, 'number'>): Promise<readonly number[]> {
    if (this.#closed) throw closed()
    if (job.places.length * job.chunkSizeBytes <= smallJobMaxBytes) return damagedIn(job)
    const number = ++this.#lastNumber
    const { buffer } = job.bytes
    return new Promise((resolve, reject) => {
      clearTimeout(this.#idleTimer)
      const { worker, waiting } = this.#freest()
      waiting.set(number, { resolve, reject })
      worker.ref()
      worker.postMessage({ ...job, number }, buffer instanceof ArrayBuffer ? [buffer] : [])
    })
  }

  /** A thread without work, a new one where there may be more, or the one with the least work. */
  #freest(): VerifyThread {
    const [least] = [...this.#threads].sort((a, b) => a.waiting.size - b.waiting.size)
    if (least && (least.waiting.size === 0 || this.#threads.size >= this.#threadsMax)) return least
    return this.#start()
  }

  #start(): VerifyThread {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./verify-thread.${extension}`, import.meta.url), { resourceLimits })
    const thread: VerifyThread = { worker, waiting: new Map() }
    worker.on('message', (answer: VerifyAnswer) => this.#take(thread, answer))
    worker.on('error', (error) => failAll(thread, error))
    worker.on('exit', () => {
      this.#threads.delete(thread)
      failAll(thread, closed())
    })
    this.#threads.add(thread)
    return thread
  }

  #take({ worker, waiting }: VerifyThread, answer: VerifyAnswer): void {
    const job = waiting.get(answer.number)
    waiting.delete(answer.number)
    if (waiting.size === 0) worker.unref()
    if ([...this.#threads].every((thread) => thread.waiting.size === 0)) {
      clearTimeout(this.#idleTimer)
      this.#idleTimer = setTimeout(() => this.#end(), idleMaxMs).unref()
    }
    if ('damaged' in answer) job?.resolve(answer.damaged)
    else job?.reject(new Error(answer.failure))
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const threads = [...this.#threads]
    this.#threads.clear()
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}

function failAll({ waiting }: VerifyThread, error: Error): void {
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

/** Memory that a thread can be given: small buffers share theirs with others of this thread. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes
  if (buffer instanceof SharedArrayBuffer) return bytes
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
