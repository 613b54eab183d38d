/**
 * Puts a damaged domain right as far as that is possible:
 *
 * - The index is made anew from the packs.
 * - A pack whose table or header is damaged is replaced by one with the chunks that are still intact.
 * - With `readData` also packs with damaged chunks are replaced, by ones without them.
 *
 * The chunks of a pack without table are found by walking its records, and where these are damaged too by what the index knows.
 *
 * Chunks that are lost are absent afterwards; the report names the revisions that need them. The next backup of a volume that still contains them stores them again, and
 * by that heals every revision that needs them. A new pack is durable, and was read back, before the old one goes, so a repair may be
 * interrupted and begun again. A pack that is listed and that the storage then says is missing stays: it may be there again later.
 */

import { ChunkList } from '../chunk/chunk-list.ts'
import { sealOverheadBytes, verifyChunk } from '../chunk/sealed-chunk.ts'
import { isUnreadable, isVaultFailure, ObjectMissing } from '../failure.ts'
import { baseName, packsPrefix, revisionsPrefix, segmentsPrefix } from '../object-names.ts'
import type { PackTable } from '../pack/pack-format.ts'
import type { PackWriter } from '../pack/pack-writer.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import { type RecordedChunk, scanRecords } from '../pack/scan-records.ts'
import { findDamagedChunks, verifyPackStructure } from '../pack/verify-pack.ts'
import { readRevision } from '../revision/revision-store.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { Domain } from './domain.ts'
import { loadPacks } from './load-packs.ts'
import type { PackStore } from './pack-store.ts'

/** How much a repair reads. */
export interface RepairOptions {
  /** Also look for damaged chunks, by reading and verifying every one. */
  readonly readData?: boolean
  /** Ends the repair between two packs; what it has done so far is complete. */
  readonly signal?: AbortSignal
}

/** What a repair saved and what is lost. */
export interface RepairReport {
  /** Which of the two objects with the vault's keys were missing or damaged, and were written anew: now, or when the vault was opened. */
  readonly configurationHealed: string[]
  packsReplaced: number
  /** Packs that the storage lists and then says are missing. They stay as they are, and their chunks count as lost until they can be read. */
  packsUnread: number
  /** Chunks of the replaced packs that were still intact. */
  chunksSaved: number
  /** Chunks of the replaced packs known to be lost. How many a lost table has named nobody knows. */
  chunksLost: number
  /** The revisions that cannot be restored completely afterwards. All others can. */
  readonly revisions: LostRevision[]
}

/** A revision that is damaged, and what of it is lost. */
export interface LostRevision {
  readonly domain: string
  readonly revision: string
  /** How many chunks are lost; null when the list of its chunks is, which only deleting the revision helps. */
  readonly chunksLost: number | null
}

const lookupsPerTurn = 50_000

/** Repairs a domain that nobody uses, and gives the domain to use from now on. */
export async function repairDomain(
  domain: Domain,
  options: RepairOptions,
  report: RepairReport,
): Promise<Domain> {
  const { store, keys } = domain
  const { backend } = store.settings
  await store.flush()
  for (const name of await backend.list(packsPrefix(keys.tag)))
    if (!(await repairUnlessMissing(domain, name, options, report))) report.packsUnread += 1
  await store.segments.idle()
  for (const name of await backend.list(segmentsPrefix(keys.tag))) await backend.delete(name)
  const packs = await loadPacks(store.settings)
  const repaired = new Domain({ ...domain, store: packs })
  await repaired.store.segments.cover(1)
  for (const name of await backend.list(revisionsPrefix(keys.tag))) {
    const lost = await lostOf(repaired, baseName(name))
    if (lost) report.revisions.push(lost)
  }
  return repaired
}

/** What a revision lacks, if anything. */
async function lostOf(domain: Domain, revision: string): Promise<LostRevision | undefined> {
  const { store, keys } = domain
  try {
    const { stored: chunks } = (await readRevision(store.settings.backend, keys, revision)).chunks
    let chunksLost = 0
    for (let position = 0; position < chunks.length; position++) {
      if (position % lookupsPerTurn === lookupsPerTurn - 1) await yieldToEventLoop()
      if (!chunks.isZero(position) && !store.placeOf(chunks, position)) chunksLost++
    }
    return chunksLost > 0 ? { domain: domain.name, revision, chunksLost } : undefined
  } catch (error) {
    if (isVaultFailure(error, 'revision-missing')) return undefined
    if (!isUnreadable(error)) throw error
    return { domain: domain.name, revision, chunksLost: null }
  }
}

/** @returns whether the pack is there */
async function repairUnlessMissing(...pack: Parameters<typeof repairPack>): Promise<boolean> {
  try {
    await repairPack(...pack)
    return true
  } catch (error) {
    if (error instanceof ObjectMissing) return false
    throw error
  }
}

/** @throws ObjectMissing when the storage says so of the pack; it is left as it is then */
async function repairPack(
  domain: Domain,
  name: string,
  options: RepairOptions,
  report: RepairReport,
): Promise<void> {
  const { backend } = domain.store.settings
  options.signal?.throwIfAborted()
  const table = await readTable(domain, name)
  const damaged =
    table && options.readData
      ? await findDamagedChunks({ ...domain, backend }, name, table, { signal: options.signal })
      : new Set<number>()
  if (table && damaged.size === 0 && (await isSound(domain, name, table))) return
  const chunks = table ? chunksOf(table) : await findChunks(domain, name)
  const saved = await copyIntactChunks(domain, name, chunks)
  await backend.delete(name)
  report.packsReplaced += 1
  report.chunksSaved += saved
  report.chunksLost += table ? chunks.length - saved : 0
}

async function readTable(domain: Domain, name: string): Promise<PackTable | undefined> {
  try {
    const { store } = domain
    return await readPackTable(store.settings.backend, name, store.identityOf(baseName(name)))
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

async function isSound(domain: Domain, name: string, table: PackTable): Promise<boolean> {
  const { store } = domain
  const fault = await verifyPackStructure(
    store.settings.backend,
    name,
    store.identityOf(baseName(name)),
    table,
  )
  return fault === undefined
}

function chunksOf(table: PackTable): RecordedChunk[] {
  return Array.from(table.offsets, (offset, index) => ({
    id: table.ids.id(index),
    offset,
    lengthBytes: table.lengths[index] ?? 0,
  }))
}

/** The chunks of a pack without table, by what the index knows of it and what its records say, as far as they lead. */
async function findChunks(domain: Domain, name: string): Promise<RecordedChunk[]> {
  const { store, chunkSizeBytes } = domain
  const chunks = new Map<string, RecordedChunk>()
  const records = await scanRecords(store.settings.backend, name, chunkSizeBytes + sealOverheadBytes)
  for (const chunk of [...indexedChunks(store, name), ...records]) {
    chunks.set(`${chunk.offset} ${chunk.lengthBytes} ${chunk.id.toString('hex')}`, chunk)
  }
  return [...chunks.values()]
}

function* indexedChunks(store: PackStore, name: string): Generator<RecordedChunk> {
  const { index } = store
  const pack = store.durablePacks().find((number) => store.objectOf(number) === name)
  for (let entry = 0; pack !== undefined && entry < index.size; entry++) {
    if (index.packOf(entry) !== pack) continue
    const id = ChunkList.ofZeros(1)
    index.copyId(entry, id, 0)
    yield { id: id.bytes, offset: index.offsetOf(entry), lengthBytes: index.lengthOf(entry) }
  }
}

/** Copies the chunks that are intact into a new, durable pack, and says how many they were. */
async function copyIntactChunks(
  domain: Domain,
  name: string,
  chunks: readonly RecordedChunk[],
): Promise<number> {
  const { store } = domain
  const { number, writer } = store.newWriter()
  let saved = 0
  try {
    saved = await appendIntactChunks(domain, name, chunks, writer)
  } finally {
    if (saved === 0) await store.giveUp(number, writer)
  }
  if (saved > 0) await store.finishAndReadBack(number, writer)
  return saved
}

async function appendIntactChunks(
  { store, keys, chunkSizeBytes }: Domain,
  name: string,
  chunks: readonly RecordedChunk[],
  writer: PackWriter,
): Promise<number> {
  const into = Buffer.allocUnsafe(chunkSizeBytes)
  let saved = 0
  for (const { id, offset, lengthBytes } of chunks) {
    const sealed = Buffer.allocUnsafe(lengthBytes)
    try {
      await store.settings.backend.read(name, offset, sealed)
      verifyChunk(id, sealed, keys, { into })
    } catch (error) {
      if (isDamage(error)) continue
      throw error
    }
    await writer.append(id, sealed).written
    saved++
  }
  return saved
}

/** Whether something was read that is not what was written; not when nothing was there to read. */
function isDamage(error: unknown): boolean {
  return isVaultFailure(error, 'damaged') && !(error instanceof ObjectMissing)
}
