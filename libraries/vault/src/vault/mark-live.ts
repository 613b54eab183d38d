import type { ChunkList } from '../chunk/chunk-list.ts'
import { isUnreadable, isVaultFailure } from '../failure.ts'
import { baseName, revisionsPrefix } from '../object-names.ts'
import { packedChunkOverheadBytes } from '../pack/pack-format.ts'
import { readRevision } from '../revision/revision-store.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Domain } from './domain.ts'
import type { PackStore } from './pack-store.ts'

/** What is needed: by index entry, and as bytes of each pack. Packs without a living chunk do not appear. */
export interface Live {
  readonly entries: Uint8Array
  readonly bytesOfPack: Map<number, number>
  /** The revisions that cannot be read, or that should be there and are not: what they need is not marked. */
  readonly revisionsUnread: string[]
  /** The revisions that need chunks which are not there. */
  readonly revisionsIncomplete: string[]
}

const chunksPerTurn = 50_000

/**
 * Marks the chunks of all revisions, then those of all open readers; see collect.ts for why in this order.
 *
 * @param expected revisions that must be there unless they are deleted meanwhile
 */
export async function markLive(
  domain: Domain,
  expected: Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<Live> {
  const { store, keys, remembered } = domain
  const missing = new Set([...expected, ...remembered.present()])
  const live: Live = {
    entries: new Uint8Array(store.index.size),
    bytesOfPack: new Map(),
    revisionsUnread: [],
    revisionsIncomplete: [],
  }
  for (const name of await store.settings.backend.list(revisionsPrefix(keys.tag))) {
    signal?.throwIfAborted()
    missing.delete(baseName(name))
    const chunks = await readChunks(domain, baseName(name))
    if (chunks) remembered.addShown(baseName(name))
    if (chunks === 'unread') live.revisionsUnread.push(baseName(name))
    else if (chunks && !(await mark(store, chunks, live))) live.revisionsIncomplete.push(baseName(name))
  }
  live.revisionsUnread.push(...[...missing].filter((revision) => !remembered.wasDeleted(revision)))
  const listsOfReaders = [...domain.readers].map((reader) => reader.chunks)
  for (const chunks of listsOfReaders) await mark(store, chunks, live)
  return live
}

/** Nothing when the revision was deleted since its name was listed; a storage that only says that it is missing may err. */
async function readChunks(domain: Domain, revision: string): Promise<ChunkList | 'unread' | undefined> {
  try {
    return (await readRevision(domain.store.settings.backend, domain.keys, revision)).chunks.stored
  } catch (error) {
    if (isVaultFailure(error, 'revision-missing') && domain.remembered.wasDeleted(revision)) return undefined
    if (isVaultFailure(error, 'revision-missing')) return 'unread'
    if (isUnreadable(error)) return 'unread'
    throw error
  }
}

/** @returns whether all chunks of the list are there */
async function mark(store: PackStore, chunks: ChunkList, live: Live): Promise<boolean> {
  let isComplete = true
  for (let position = 0; position < chunks.length; position++) {
    if (position % chunksPerTurn === chunksPerTurn - 1) await yieldToEventLoop()
    if (chunks.isZero(position)) continue
    const entry = store.find(chunks, position)
    if (entry < 0) isComplete = false
    if (entry < 0 || live.entries[entry] !== 0) continue
    live.entries[entry] = 1
    const pack = store.index.packOf(entry)
    live.bytesOfPack.set(
      pack,
      (live.bytesOfPack.get(pack) ?? 0) + store.index.lengthOf(entry) + packedChunkOverheadBytes,
    )
  }
  return isComplete
}
