/**
 * Puts a damaged domain right as far as that is possible:
 *
 * - The index is made anew from the packs.
 * - A pack whose table or header is damaged is replaced by one with the chunks that are still intact.
 * - With `readData` also packs with damaged chunks are replaced, by ones without them.
 *
 * Chunks that are lost are absent afterwards. The next backup of a volume that still contains them stores them again, and
 * by that heals every revision that needs them. A new pack is durable before the old one goes, so a repair may be
 * interrupted and begun again.
 */
import { openChunk, sealOverheadBytes } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { baseName, packsPrefix, segmentsPrefix } from '../object-names.ts'
import type { PackTable } from '../pack/pack-format.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import { type RecordedChunk, scanRecords } from '../pack/scan-records.ts'
import { findDamagedChunks, verifyPackStructure } from '../pack/verify-pack.ts'
import { Domain } from './domain.ts'
import { loadPacks } from './load-packs.ts'

export interface RepairOptions {
  /** Also look for damaged chunks, by reading and opening every one. */
  readonly readData?: boolean
  /** Ends the repair between two packs; what it has done so far is complete. */
  readonly signal?: AbortSignal
}

export interface RepairReport {
  packsReplaced: number
  /** Chunks of the replaced packs that were still intact. */
  chunksSaved: number
  /** Chunks known to be lost. How many a lost table has named nobody knows. */
  chunksLost: number
}

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
    await repairPack(domain, name, options, report)
  await store.segments.idle()
  for (const name of await backend.list(segmentsPrefix(keys.tag))) await backend.delete(name)
  const repaired = new Domain(domain.name, keys, await loadPacks(store.settings), domain.chunkSizeBytes)
  await repaired.store.segments.cover(1)
  return repaired
}

async function repairPack(
  domain: Domain,
  name: string,
  options: RepairOptions,
  report: RepairReport,
): Promise<void> {
  const { store, keys, chunkSizeBytes } = domain
  const { backend } = store.settings
  options.signal?.throwIfAborted()
  const table = await readTable(domain, name)
  const damaged =
    table && options.readData
      ? await findDamagedChunks(backend, name, table, keys.chunks, chunkSizeBytes, options.signal)
      : new Set<number>()
  if (table && damaged.size === 0 && (await isSound(domain, name, table))) return
  const chunks = table
    ? chunksOf(table)
    : await scanRecords(backend, name, chunkSizeBytes + sealOverheadBytes)
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
    if (isVaultFailure(error, 'damaged')) return undefined
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

/** Copies the chunks that can be opened into a new, durable pack, and says how many they were. */
async function copyIntactChunks(
  domain: Domain,
  name: string,
  chunks: readonly RecordedChunk[],
): Promise<number> {
  const { store, keys, chunkSizeBytes } = domain
  const { number, writer } = store.newWriter()
  const into = Buffer.allocUnsafe(chunkSizeBytes)
  let saved = 0
  for (const { id, offset, lengthBytes } of chunks) {
    const sealed = Buffer.allocUnsafe(lengthBytes)
    await store.settings.backend.read(name, offset, sealed)
    try {
      openChunk(id, sealed, keys.chunks, { into })
    } catch (error) {
      if (isVaultFailure(error, 'damaged')) continue
      throw error
    }
    await writer.append(id, sealed).written
    saved++
  }
  if (saved > 0) await store.finish(number, writer)
  else await writer.abort()
  return saved
}
