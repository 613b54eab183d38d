/**
 * Looks for damage in one domain:
 *
 *     packs       header and table of each; with `readData` its chunks, or a sample of them
 *     segments    each; packs that they name and that are not there are remembered
 *     revisions   each, and whether all its chunks were found intact; what it lacks is put down to a pack where possible; with
 *                 `readData` also whether its patched chunks, or a sample, have the content that they are named
 *
 * Beyond the index, which is in memory anyway, a check takes a bit for each chunk, the list of one revision, and one run of a
 * pack or a portion of patched chunks. There is at most one finding for each object.
 */

import type { ChunkList } from '../chunk/chunk-list.ts'
import { ChunkIndex } from '../chunk-index/chunk-index.ts'
import { type IndexSegment, parseIndexSegment } from '../chunk-index/index-segment.ts'
import { isUnreadable, isVaultFailure } from '../failure.ts'
import { baseName, packsPrefix, revisionsPrefix, segmentsPrefix } from '../object-names.ts'
import type { PackTable } from '../pack/pack-format.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import { findDamagedChunks, verifyPackStructure } from '../pack/verify-pack.ts'
import type { RevisionChunks } from '../revision/revision-chunks.ts'
import type { RevisionHead } from '../revision/revision-head.ts'
import { readRevision } from '../revision/revision-store.ts'
import { readObject } from '../storage/backend.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Domain } from './domain.ts'
import { EntrySet } from './entry-set.ts'
import type { Finding } from './finding.ts'
import { takeUpUnknown } from './load-packs.ts'
import { RevisionReader } from './revision-reader.ts'
import { chooserOf, type Sample } from './sample.ts'

/** How much a check reads. */
export interface CheckOptions {
  /** Also read and verify every chunk (see `verifyChunk`), or a random sample of all. */
  readonly readData?: boolean | Sample
  /** Ends the check early, which then rejects. */
  readonly signal?: AbortSignal
}

const lookupsPerTurn = 50_000
/** How many damaged chunks of a pack are named. */
const namedChunksMax = 5

/** Checks all objects of a domain; not beside a collection or repair of it, which move chunks. */
export async function checkDomain(domain: Domain, options: CheckOptions): Promise<Finding[]> {
  const { backend } = domain.store.settings
  const expected = domain.store.durableObjects()
  // Revisions first: whatever they need was durable before they were visible.
  const revisions = await backend.list(revisionsPrefix(domain.keys.tag))
  const packs = await backend.list(packsPrefix(domain.keys.tag))
  const segments = await backend.list(segmentsPrefix(domain.keys.tag))
  await takeUpUnknown(domain.store, packs)
  const check = new DomainCheck(domain, options, packs)
  for (const name of domain.store.missingObjects(expected, new Set(packs))) check.missingPack(name)
  for (const name of packs) await check.pack(name)
  for (const name of segments) await check.segment(name)
  for (const name of revisions) await check.revision(name)
  return check.findings()
}

interface OpenFinding {
  readonly code: Finding['code']
  readonly message: string
  chunks?: number
  readonly revisions: Set<string>
}

class DomainCheck {
  readonly #domain: Domain
  readonly #options: CheckOptions
  readonly #isChosen: ((ids: ChunkList, position: number) => boolean) | undefined
  readonly #findings = new Map<string, OpenFinding[]>()
  /** The chunks found intact, as far as they were looked at. */
  readonly #intact: EntrySet
  readonly #packIds: ReadonlySet<string>
  /**
   * Chunks that the index does not find, and what is to be said of the object that has them when a revision needs one: what segments say
   * about packs that are not there, mostly since a collection was interrupted, and what lies in packs a second time.
   */
  readonly #absent = new ChunkIndex()
  readonly #absentIn: { readonly name: string; readonly code: Finding['code']; readonly message: string }[] =
    []

  constructor(domain: Domain, options: CheckOptions, packs: readonly string[]) {
    const { readData } = options
    this.#domain = domain
    this.#options = options
    this.#isChosen = typeof readData === 'object' ? chooserOf(readData) : readData ? () => true : undefined
    this.#intact = new EntrySet(domain.store.index.size)
    this.#packIds = new Set(packs.map(baseName))
  }

  findings(): Finding[] {
    return [...this.#findings].flatMap(([object, findings]) =>
      findings.map(({ code, message, chunks, revisions }) => ({
        code,
        domain: this.#domain.name,
        object,
        revisions: [...revisions],
        ...(chunks === undefined ? {} : { chunks }),
        message,
      })),
    )
  }

  async pack(name: string): Promise<void> {
    const { store } = this.#domain
    const { backend } = store.settings
    await this.#reportDamage('pack-damaged', name, async () => {
      const identity = store.identityOf(baseName(name))
      const table = await readPackTable(backend, name, identity)
      const fault = await verifyPackStructure(backend, name, identity, table)
      if (fault !== undefined) this.#report('pack-damaged', name, fault)
      const damaged = await this.#damagedChunks(name, table)
      if (damaged.size > 0) this.#reportChunks(name, table, damaged)
      for (const chunk of damaged) {
        const pack = store.placeOf(table.ids, chunk)?.pack
        if (pack !== undefined && store.objectOf(pack) === name) store.doubt(table.ids, chunk)
      }
      for (let chunk = 0; chunk < table.ids.length; chunk++) {
        const entry = store.find(table.ids, chunk)
        if (entry >= 0 && !damaged.has(chunk)) this.#intact.add(entry)
      }
      this.#compareWithIndex(name, table)
    })
  }

  missingPack(name: string): void {
    this.#report('pack-missing', name, 'the pack has disappeared')
  }

  async segment(name: string): Promise<void> {
    await this.#reportDamage('segment-damaged', name, async () => {
      const content = await readObject(this.#domain.store.settings.backend, name)
      // It may have been replaced by another since it was listed.
      if (content) this.#rememberGone(parseIndexSegment(this.#domain.keys, content))
    })
  }

  async revision(name: string): Promise<void> {
    const revision = baseName(name)
    await this.#reportDamage('revision-damaged', name, async () => {
      const { backend } = this.#domain.store.settings
      const { head, chunks: content } = await readRevision(backend, this.#domain.keys, revision)
      const chunks = content.stored
      let lost = 0
      for (let position = 0; position < chunks.length; position++) {
        if (position % lookupsPerTurn === lookupsPerTurn - 1) await yieldToEventLoop()
        if (chunks.isZero(position) || this.#isIntact(chunks, position)) continue
        lost++
        this.#blame(chunks, position, revision)
      }
      if (lost > 0) {
        this.#reportIncomplete(name, lost, `${lost} of ${chunks.length} chunks are lost or damaged`)
        return
      }
      const misfits = await this.#countMisfits(head, content)
      if (misfits === 0) return
      this.#reportIncomplete(
        name,
        misfits,
        `${misfits} patched chunks do not have the content that was backed up`,
      )
    })
    for (const finding of this.#findings.get(name) ?? []) finding.revisions.add(revision)
  }

  #reportIncomplete(name: string, chunks: number, message: string): void {
    this.#report('revision-incomplete', name, message).chunks = chunks
  }

  /** Of a revision that has all that it needs. Patched chunks are chosen by their patches. */
  async #countMisfits(head: RevisionHead, content: RevisionChunks): Promise<number> {
    const isChosen = this.#isChosen
    if (!isChosen || content.patchedCount === 0) return 0
    const reader = new RevisionReader(this.#domain, head, content)
    try {
      return await reader.countMisfits(
        ({ chunks }) => chunks.some(({ patch }) => isChosen(content.stored, patch)),
        this.#options.signal,
      )
    } finally {
      reader.close()
    }
  }

  async #damagedChunks(name: string, table: PackTable): Promise<ReadonlySet<number>> {
    const { backend } = this.#domain.store.settings
    const isChosen = this.#isChosen
    if (!isChosen) return new Set()
    const { signal } = this.#options
    return findDamagedChunks({ ...this.#domain, backend }, name, table, { isChosen, signal })
  }

  #reportChunks(name: string, table: PackTable, damaged: ReadonlySet<number>): void {
    const ids = [...damaged].slice(0, namedChunksMax).map((chunk) => table.ids.id(chunk).toString('hex'))
    const more = damaged.size > ids.length ? ', …' : ''
    const message = `${damaged.size} of ${table.ids.length} chunks are damaged: ${ids.join(', ')}${more}`
    this.#report('chunk-damaged', name, message).chunks = damaged.size
  }

  #isIntact(chunks: ChunkList, position: number): boolean {
    const entry = this.#domain.store.find(chunks, position)
    return entry >= 0 && this.#intact.has(entry)
  }

  /** Names the revision in the finding about the pack that the chunk was in. */
  #blame(chunks: ChunkList, position: number, revision: string): void {
    const { store } = this.#domain
    const entry = store.find(chunks, position)
    if (entry >= 0) {
      for (const finding of this.#findings.get(store.objectOf(store.index.packOf(entry))) ?? []) {
        finding.revisions.add(revision)
      }
      return
    }
    const absent = this.#absent.find(chunks, position)
    const place = absent < 0 ? undefined : this.#absentIn[this.#absent.packOf(absent)]
    if (!place) return
    const { name, code, message } = place
    const [finding = this.#report(code, name, message)] = this.#findings.get(name) ?? []
    finding.revisions.add(revision)
  }

  #rememberGone(segment: IndexSegment): void {
    const numbers = segment.packs.map(({ packId }) => {
      if (this.#packIds.has(packId)) return -1
      const name = packsPrefix(this.#domain.keys.tag) + packId
      const message = 'the pack is not there, but its chunks are needed'
      return this.#absentIn.push({ name, code: 'pack-missing', message }) - 1
    })
    for (let entry = 0; entry < segment.ids.length; entry++) {
      const pack = numbers[segment.packOf[entry] ?? -1] ?? -1
      if (pack >= 0) this.#absent.set(segment.ids, entry, pack, 0, 0)
    }
  }

  /**
   * Chunks of the pack that are found in it must be at the place that the table says. One that two processes have stored at the same time is
   * found in one of its packs, and not at all when that has gone, which is wrong only where a revision needs it.
   */
  #compareWithIndex(name: string, table: PackTable): void {
    const { store } = this.#domain
    const message = 'the index does not find chunks of this pack that are needed'
    const absentIn = this.#absentIn.push({ name, code: 'index-wrong', message }) - 1
    let wrong = 0
    for (let chunk = 0; chunk < table.ids.length; chunk++) {
      const entry = store.find(table.ids, chunk)
      if (entry < 0) this.#absent.set(table.ids, chunk, absentIn, 0, 0)
      else if (store.objectOf(store.index.packOf(entry)) === name) {
        const [offset, lengthBytes] = [store.index.offsetOf(entry), store.index.lengthOf(entry)]
        if (offset !== table.offsets[chunk] || lengthBytes !== table.lengths[chunk]) wrong++
      }
    }
    if (wrong > 0) this.#report('index-wrong', name, `the index misplaces ${wrong} chunks of this pack`)
  }

  /** Runs `look`, which throws what it finds damaged. A revision that was deleted meanwhile is no finding. */
  async #reportDamage(code: Finding['code'], name: string, look: () => Promise<void>): Promise<void> {
    this.#options.signal?.throwIfAborted()
    try {
      await look()
    } catch (error) {
      if (isVaultFailure(error, 'revision-missing')) return
      if (!isUnreadable(error)) throw error
      this.#report(code, name, error.message)
    }
  }

  #report(code: Finding['code'], object: string, message: string): OpenFinding {
    const finding: OpenFinding = { code, message, revisions: new Set() }
    const others = this.#findings.get(object)
    if (others) others.push(finding)
    else this.#findings.set(object, [finding])
    return finding
  }
}
