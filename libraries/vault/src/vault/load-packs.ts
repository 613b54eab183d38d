import type { ChunkList } from '../chunk/chunk-list.ts'
import { type IndexSegment, parseIndexSegment } from '../chunk-index/index-segment.ts'
import { isVaultFailure } from '../failure.ts'
import { inParallel } from '../in-parallel.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { baseName, packsPrefix, segmentsPrefix } from '../object-names.ts'
import type { PackTable } from '../pack/pack-format.ts'
import { readPackTable } from '../pack/read-pack-table.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'
import { PackStore, type PackStoreSettings } from './pack-store.ts'
import { PlannedDeletions } from './planned-deletions.ts'

const readsAtOnce = 8

/**
 * Finds out what one domain has stored. The packs that are there are the truth; index segments only save reading the
 * tables of the packs they cover. A pack whose table cannot be read is left out, so its chunks count as absent and are
 * stored again by the next backup; `check` reports it and `repair` saves what is in it.
 *
 * @param expected ids of packs that are missed when they are not there, instead of being left out
 */
export async function loadPacks(
  settings: PackStoreSettings,
  expected: readonly string[] = [],
): Promise<PackStore> {
  const { backend, keys } = settings
  const segmentNames = await backend.list(segmentsPrefix(keys.tag))
  const listed = (await backend.list(packsPrefix(keys.tag))).map(baseName)
  const present = new Set([...listed, ...expected])
  const store = new PackStore(settings, segmentNames, await PlannedDeletions.read(settings, present))
  const packsInSegments = new Set<string>()
  for (const name of segmentNames) {
    const segment = await readSegment(settings, name)
    if (segment) addSegment(store, segment, present, packsInSegments)
  }
  const uncovered = listed.filter((packId) => !packsInSegments.has(packId))
  await inParallel(uncovered, readsAtOnce, async (packId) => {
    const table = await readTableUnlessDamaged(store, packId)
    if (table) addTable(store, packId, table)
  })
  return store
}

/**
 * Takes up packs that appeared since the domain was loaded and that nobody has told of: another process has written them, and was stopped
 * or has ended before it came to that.
 *
 * @param present the objects of all packs that are there
 */
export async function takeUpUnknown(store: PackStore, present: Iterable<string>): Promise<void> {
  for (const packId of store.unknownAmong(present)) {
    const table = await readTableUnlessDamaged(store, packId)
    if (table) store.takeUp(packId, table, () => undefined)
  }
}

/** The packs that segments name and that are not there. */
export async function findMissingPacks(backend: StorageBackend, keys: DomainKeys): Promise<string[]> {
  const present = new Set(await backend.list(packsPrefix(keys.tag)))
  const missing = new Set<string>()
  for (const name of await backend.list(segmentsPrefix(keys.tag))) {
    for (const { packId } of (await readSegment({ backend, keys }, name))?.packs ?? []) {
      const pack = packsPrefix(keys.tag) + packId
      if (!present.has(pack)) missing.add(pack)
    }
  }
  return [...missing]
}

/** A damaged or vanished segment costs reading the tables of its packs. */
async function readSegment(
  { backend, keys }: Pick<PackStoreSettings, 'backend' | 'keys'>,
  name: string,
): Promise<IndexSegment | undefined> {
  try {
    const content = await readObject(backend, name)
    return content && parseIndexSegment(keys, content)
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}

/** Of a pack that cannot be read, and of one that is not there, nothing. */
export async function readTableUnlessDamaged(
  store: PackStore,
  packId: string,
): Promise<PackTable | undefined> {
  try {
    const { backend, keys } = store.settings
    return await readPackTable(backend, packsPrefix(keys.tag) + packId, store.identityOf(packId))
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}

function addSegment(
  store: PackStore,
  segment: IndexSegment,
  present: Set<string>,
  packsInSegments: Set<string>,
): void {
  const numbers = segment.packs.map(({ packId, createdMs, sizeBytes }) => {
    if (!present.has(packId) || packsInSegments.has(packId)) return -1
    packsInSegments.add(packId)
    return store.addDurable(packId, createdMs, sizeBytes, true)
  })
  store.index.reserve(store.index.size + segment.ids.length)
  for (let entry = 0; entry < segment.ids.length; entry++) {
    const pack = numbers[segment.packOf[entry] ?? -1] ?? -1
    if (pack < 0) continue
    addChunk(store, segment.ids, entry, pack, segment.offsets[entry], segment.lengths[entry])
  }
}

function addTable(store: PackStore, packId: string, table: PackTable): void {
  const pack = store.addDurable(packId, table.createdMs, table.sizeBytes, false)
  for (let entry = 0; entry < table.ids.length; entry++) {
    addChunk(store, table.ids, entry, pack, table.offsets[entry], table.lengths[entry])
  }
}

/** A chunk that lies in a pack that stays is found there. */
function addChunk(
  store: PackStore,
  ids: ChunkList,
  position: number,
  pack: number,
  offset = 0,
  lengthBytes = 0,
): void {
  if (store.pack(pack).isGoing && store.find(ids, position) >= 0) return
  store.index.set(ids, position, pack, offset, lengthBytes)
}
