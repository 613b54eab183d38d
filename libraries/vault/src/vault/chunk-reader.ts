import type { ChunkList } from '../chunk/chunk-list.ts'
import { viewFor } from '../direct-io/aligned-memory.ts'
import { VaultFailure } from '../failure.ts'
import { type ChunkToRead, planRuns, type ReadRun, type Run, readRun } from '../revision/run.ts'
import type { Domain } from './domain.ts'

/** By measurement larger reads gain nothing; two of them are in memory while a revision is streamed. */
const runMaxBytesDefault = 4 * 1024 * 1024

/**
 * A list of chunks, open for reading. Until `close` all of them stay where they are, even when the revision they belong to
 * is deleted and a collection runs.
 */
export class ChunkReader {
  /** The ids of the chunks, in order; zero where there is nothing to read. */
  readonly chunks: ChunkList
  /** Numbers of the packs whose runs have been handed out. */
  readonly pins = new Set<number>()
  protected readonly domain: Domain
  #closed = false

  constructor(domain: Domain, chunks: ChunkList) {
    this.chunks = chunks
    this.domain = domain
    domain.readers.add(this)
  }

  /**
   * How to read the chunks at the positions [from, to), or at the given ones: few large runs, roughly in the order of the
   * list. Zero chunks appear in no run. Ask for some hundreds of positions at once.
   *
   * @throws VaultFailure `chunk-missing` when a chunk was lost to damage
   */
  runs(from: number, to: number, runMaxBytes?: number): Run[]
  runs(positions: Iterable<number>, runMaxBytes?: number): Run[]
  runs(first: number | Iterable<number>, second?: number, third?: number): Run[] {
    this.#assertOpen()
    const positions = typeof first === 'number' ? range(first, second ?? first) : first
    const runMaxBytes = (typeof first === 'number' ? third : second) ?? runMaxBytesDefault
    return planRuns(this.#locate(positions), (pack) => this.domain.store.objectOf(pack), runMaxBytes)
  }

  /** The positions in [from, to) whose chunks are not durably stored, for whoever wants to do without them. */
  lost(from: number, to: number): number[] {
    this.#assertOpen()
    const positions: number[] = []
    for (const position of range(from, to)) {
      if (!this.chunks.isZero(position) && !this.domain.store.placeOf(this.chunks, position))
        positions.push(position)
    }
    return positions
  }

  /**
   * Reads a run in one piece. With `into` the result is a view of it: its beginning, or in memory of `allocateAligned` that has
   * a page more than the run, the place from which on the bytes need not go through the system's cache.
   */
  async read(run: Run, into?: Uint8Array): Promise<Uint8Array> {
    this.#assertOpen()
    if (into && into.length < run.lengthBytes) {
      throw new VaultFailure('invalid-argument', `the buffer for this run needs ${run.lengthBytes} bytes`)
    }
    const target = into ? viewFor(into, run.offset, run.lengthBytes) : Buffer.allocUnsafe(run.lengthBytes)
    await this.domain.store.settings.backend.read(run.object, run.offset, target)
    return target
  }

  /** Reads runs in their order; while the caller works on one, the next is being read. */
  async *stream(runs: readonly Run[]): AsyncGenerator<{ readonly run: Run; readonly bytes: Uint8Array }> {
    let ahead: Promise<Uint8Array> | undefined
    for (const [index, run] of runs.entries()) {
      const bytes = await (ahead ?? this.read(run))
      const next = runs[index + 1]
      ahead = next && this.read(next)
      // When the caller stops early nobody waits for the read ahead.
      ahead?.catch(() => undefined)
      yield { run, bytes }
    }
  }

  /**
   * Reads the chunks of a run and verifies them, as far as the vault's keys allow, in a thread of their own. From then on no backup
   * builds on those that are damaged: it is told that they are missing.
   *
   * @returns the positions of the chunks that are not what was backed up, or cannot be read
   */
  async damaged(run: Run): Promise<number[]> {
    this.#assertOpen()
    const positions: number[] = []
    for await (const part of readRun(this.domain.store.settings.backend, run)) {
      positions.push(...(await this.#damagedIn(part)))
    }
    for (const position of positions) this.domain.store.doubt(this.chunks, position)
    return positions
  }

  /** Closing twice is no failure. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.domain.endReader(this)
  }

  async #damagedIn({ run, bytes }: ReadRun): Promise<number[]> {
    if (!bytes) return run.chunks.map(({ position }) => position)
    const { verifier, keys, chunkSizeBytes } = this.domain
    const places = run.chunks.map(({ position, offset, lengthBytes }) => ({
      id: this.chunks.id(position),
      offset,
      lengthBytes,
    }))
    const damaged = await verifier.damaged(bytes, places, keys, chunkSizeBytes)
    return damaged.flatMap((index) => run.chunks[index]?.position ?? [])
  }

  #locate(positions: Iterable<number>): ChunkToRead[] {
    const toRead: ChunkToRead[] = []
    for (const position of positions) {
      if (!(position >= 0 && position < this.chunks.length)) {
        throw new VaultFailure('invalid-argument', `there is no chunk ${position} in the list`)
      }
      if (this.chunks.isZero(position)) continue
      const place = this.domain.store.placeOf(this.chunks, position)
      if (!place) throw new VaultFailure('chunk-missing', `chunk ${position} is not stored, or was lost`)
      this.pins.add(place.pack)
      toRead.push({ position, ...place })
    }
    return toRead
  }

  #assertOpen(): void {
    if (this.#closed) throw new VaultFailure('closed', 'the reader was closed')
  }
}

function* range(from: number, to: number): Generator<number> {
  for (let position = from; position < to; position++) yield position
}
