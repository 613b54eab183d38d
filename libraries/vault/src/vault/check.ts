import { breathe } from '../breathe.ts'
import { ChunkIndex } from '../chunk-index/chunk-index.ts'
import { parseIndexSegment } from '../chunk-index/index-segment.ts'
import { isVaultFailure } from '../failure.ts'
import { baseName, packsPrefix, revisionsPrefix, segmentsPrefix } from '../object-names.ts'
import type { PackTable } from '../pack/pack-format.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import { findDamagedChunks, verifyPackStructure } from '../pack/verify-pack.ts'
import { readRevision } from '../revision/revision-store.ts'
import { readObject } from '../storage/backend.ts'
import type { Domain } from './domain.ts'
import type { Finding } from './finding.ts'

export interface CheckOptions {
  /** Also read, open and name anew every chunk. */
  readonly readData?: boolean
  /** Ends the check early, which then rejects. */
  readonly signal?: AbortSignal
}

const lookupsPerTurn = 50_000

/** Checks all objects of a domain; not beside a collection or repair of it, which move chunks. */
export async function checkDomain(domain: Domain, options: CheckOptions): Promise<Finding[]> {
  const { backend } = domain.store.settings
  const expected = domain.store.durableObjects()
  // Revisions first: whatever they need was durable before they were visible.
  const revisions = await backend.list(revisionsPrefix(domain.keys.tag))
  const packs = await backend.list(packsPrefix(domain.keys.tag))
  const segments = await backend.list(segmentsPrefix(domain.keys.tag))
  const check = new DomainCheck(domain, options)
  const present = new Set(packs)
  for (const name of expected) if (!present.has(name)) check.missingPack(name)
  for (const name of packs) await check.pack(name)
  for (const name of segments) await check.segment(name)
  for (const name of revisions) await check.revision(name)
  return check.findings
}

class DomainCheck {
  readonly findings: Finding[] = []
  readonly #domain: Domain
  readonly #options: CheckOptions
  /** The chunks found intact, as far as they were looked at; the places are of no importance. */
  readonly #intact = new ChunkIndex()

  constructor(domain: Domain, options: CheckOptions) {
    this.#domain = domain
    this.#options = options
  }

  async pack(name: string): Promise<void> {
    const { store, keys, chunkSizeBytes } = this.#domain
    const { backend } = store.settings
    await this.#reportDamage('pack-damaged', name, async () => {
      const identity = store.identityOf(baseName(name))
      const table = await readPackTable(backend, name, identity)
      const fault = await verifyPackStructure(backend, name, identity, table)
      if (fault !== undefined) this.#report('pack-damaged', name, fault)
      const damaged = this.#options.readData
        ? await findDamagedChunks(backend, name, table, keys.chunks, chunkSizeBytes, this.#options.signal)
        : new Set<number>()
      for (let chunk = 0; chunk < table.ids.length; chunk++) {
        if (damaged.has(chunk))
          this.#report('chunk-damaged', name, `chunk ${table.ids.id(chunk).toString('hex')}`)
        else this.#intact.set(table.ids, chunk, 0, 0, 0)
      }
      this.#compareWithIndex(name, table)
    })
  }

  missingPack(name: string): void {
    this.#report('pack-damaged', name, 'the pack has disappeared')
  }

  async segment(name: string): Promise<void> {
    await this.#reportDamage('segment-damaged', name, async () => {
      const content = await readObject(this.#domain.store.settings.backend, name)
      // It may have been replaced by another since it was listed.
      if (content) parseIndexSegment(this.#domain.keys, content)
    })
  }

  async revision(name: string): Promise<void> {
    await this.#reportDamage('revision-damaged', name, async () => {
      const { chunks } = await readRevision(
        this.#domain.store.settings.backend,
        this.#domain.keys,
        baseName(name),
      )
      let lost = 0
      for (let position = 0; position < chunks.length; position++) {
        if (position % lookupsPerTurn === lookupsPerTurn - 1) await breathe()
        if (!chunks.isZero(position) && this.#intact.find(chunks, position) < 0) lost++
      }
      if (lost > 0)
        this.#report('revision-incomplete', name, `${lost} of ${chunks.length} chunks are lost or damaged`)
    })
  }

  /** Every chunk of the pack must be found, and those that are found in this pack at the place the table says. */
  #compareWithIndex(name: string, table: PackTable): void {
    const { store } = this.#domain
    let wrong = 0
    for (let chunk = 0; chunk < table.ids.length; chunk++) {
      const place = store.placeOf(table.ids, chunk)
      const elsewhere = place && store.objectOf(place.pack) !== name
      const right = place?.offset === table.offsets[chunk] && place?.lengthBytes === table.lengths[chunk]
      if (!elsewhere && !right) wrong++
    }
    if (wrong > 0) this.#report('index-wrong', name, `the index does not find ${wrong} chunks of this pack`)
  }

  /** Runs `look`, which throws what it finds damaged. A revision that was deleted meanwhile is no finding. */
  async #reportDamage(code: Finding['code'], name: string, look: () => Promise<void>): Promise<void> {
    this.#options.signal?.throwIfAborted()
    try {
      await look()
    } catch (error) {
      if (isVaultFailure(error, 'revision-missing')) return
      if (!isVaultFailure(error, 'damaged') && !isVaultFailure(error, 'unsupported-format')) throw error
      this.#report(code, name, error.message)
    }
  }

  #report(code: Finding['code'], object: string, message: string): void {
    this.findings.push({ code, domain: this.#domain.name, object, message })
  }
}
