import { randomBytes } from 'node:crypto'
import { ChunkList } from '../chunk/chunk-list.ts'
import type { ChunkIndex } from '../chunk-index/chunk-index.ts'
import { encodeIndexSegment, type IndexSegment, type SegmentPack } from '../chunk-index/index-segment.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { segmentsPrefix } from '../object-names.ts'
import type { StorageBackend } from '../storage/backend.ts'

/** When there are so many segments the next one replaces them all. */
const segmentsMax = 8

/** The packs of a domain, as their segments see them. */
interface CoveredPacks {
  readonly settings: { readonly backend: StorageBackend; readonly keys: DomainKeys }
  readonly index: ChunkIndex
  /** Numbers of the packs that are on the disk. */
  durablePacks(): number[]
  pack(number: number): SegmentPack & { inSegment: boolean }
}

/** Keeps the index segments of one domain: few, and covering nearly all packs. */
export class SegmentKeeper {
  readonly #store: CoveredPacks
  readonly #names: Set<string>
  #work: Promise<void> = Promise.resolve()

  constructor(store: CoveredPacks, names: readonly string[]) {
    this.#store = store
    this.#names = new Set(names)
  }

  /** Writes a segment for the durable packs that no segment covers, when there are at least so many of them. */
  cover(uncoveredMin: number): Promise<void> {
    return this.#afterOthers(async () => {
      const uncovered = this.#store.durablePacks().filter((number) => !this.#store.pack(number).inSegment)
      if (uncovered.length < uncoveredMin) return
      if (this.#names.size < segmentsMax) await this.#write(uncovered)
      else await this.#replaceAll()
    })
  }

  /** Writes one segment for all packs instead of the present ones. */
  rewrite(): Promise<void> {
    return this.#afterOthers(() => this.#replaceAll())
  }

  /** Resolves when nothing is being written any more. */
  idle(): Promise<void> {
    return this.#work
  }

  async #replaceAll(): Promise<void> {
    const replaced = [...this.#names]
    await this.#write(this.#store.durablePacks())
    for (const name of replaced) {
      await this.#store.settings.backend.delete(name)
      this.#names.delete(name)
    }
  }

  async #write(packs: readonly number[]): Promise<void> {
    const { backend, keys } = this.#store.settings
    const name = segmentsPrefix(keys.tag) + randomBytes(16).toString('hex')
    await backend.put(name, encodeIndexSegment(keys, segmentOf(this.#store, packs)))
    this.#names.add(name)
    for (const number of packs) this.#store.pack(number).inSegment = true
  }

  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    // Each caller hears of its own failure; the next one tries again.
    this.#work = done.catch(() => undefined)
    return done
  }
}

/** What the index says about these packs. */
function segmentOf(store: CoveredPacks, packs: readonly number[]): IndexSegment {
  const { index } = store
  const ordinals = new Map(packs.map((number, ordinal) => [number, ordinal]))
  const entries = Uint32Array.from(entriesOf(store, (pack) => ordinals.has(pack)))
  const ids = ChunkList.ofZeros(entries.length)
  for (const [position, entry] of entries.entries()) index.copyId(entry, ids, position)
  return {
    packs: packs.map((number) => store.pack(number)),
    ids,
    packOf: entries.map((entry) => ordinals.get(index.packOf(entry)) ?? 0),
    offsets: entries.map((entry) => index.offsetOf(entry)),
    lengths: entries.map((entry) => index.lengthOf(entry)),
  }
}

function* entriesOf(store: CoveredPacks, isIncluded: (pack: number) => boolean): Generator<number> {
  for (let entry = 0; entry < store.index.size; entry++)
    if (isIncluded(store.index.packOf(entry))) yield entry
}
