/**
 * Frees the space of chunks that no revision needs, while backups and restores go on:
 *
 *     mark       read the chunk lists of all revisions and of all open readers; note which chunks live
 *     plan       write down which packs will go (planned-deletions.ts)
 *     delete     packs without a living chunk
 *     rewrite    packs of which too little lives: copy what lives into a new pack ──► new pack durable
 *                ──► the index points to the new pack ──► plan ──► old packs deleted
 *
 * Why nothing is lost:
 *
 * - A pack is given up in one step of the event loop together with the look whether somebody relies on it. A session
 *   relies on every pack with a chunk that it added or was told is stored, a reader on those it has handed out.
 * - Revisions that become visible after the marking were made by sessions, whose pins outlive them until the collection
 *   ends. Packs that become durable after its beginning are no candidates.
 * - Readers are looked at after the revisions: the chunks of a revision that is deleted in between are known from its
 *   reader.
 * - Killed anywhere, the storage holds at most some chunks twice or a pack too many; the next collection removes them.
 * - Nothing of a domain is removed while one of its revisions cannot be read, because nobody knows what that needs; nor while one
 *   that should be there is not listed, or a pack is not: a storage that leaves something out says nothing that can be relied on.
 * - A new pack was read back before what it was copied from goes.
 * - A deletion that is late, and arrives when another process has the vault, takes nothing that this one relies on: it has read the plan.
 */
import { isVaultFailure, type VaultFailure } from '../failure.ts'
import { packsPrefix } from '../object-names.ts'
import { packFrameBytes } from '../pack/pack-format.ts'
import type { Domain } from './domain.ts'
import { takeUpUnknown } from './load-packs.ts'
import { type Live, markLive } from './mark-live.ts'
import { copyLivingChunks } from './rewrite-packs.ts'

/** What a collection rewrites and spares. */
export interface CollectOptions {
  /** Packs of which less than this fraction lives are rewritten; one half by default. */
  readonly liveFractionMin?: number
  /**
   * Packs younger than this stay, so that an interrupted backup finds what it had sent when it is tried again; one from further
   * in the future is of a clock that was ahead, and as good as old. None do by default.
   */
  readonly graceMs?: number
  /**
   * The revisions of a domain that must be there, asked for before the storage lists them. Beyond them the collection knows those that
   * this process has seen or committed. Asked for when a domain's turn comes.
   */
  readonly expectedRevisions?: (domain: string) => Promise<Iterable<string>>
  /** Ends the collection between two steps; what it has done so far is complete. */
  readonly signal?: AbortSignal
}

/** What a collection did, and what it found damaged. */
export interface CollectReport {
  /** Packs removed, those included whose living chunks moved to another. */
  packsDeleted: number
  packsWritten: number
  /** What the storage holds less now. */
  bytesFreed: number
  /** Packs that were to be rewritten but have damaged chunks: see `check` and `repair`. */
  packsDamaged: number
  /** Revisions that cannot be read, or should be there and are not. Nothing of their domains was removed, nor will be until they are there or deleted. */
  readonly revisionsUnread: { readonly domain: string; readonly revision: string }[]
  /** Revisions that need chunks which the vault does not have. */
  readonly revisionsIncomplete: { readonly domain: string; readonly revision: string }[]
  /** Packs that have disappeared from the storage. Nothing of their domains was removed, nor will be before a repair. */
  readonly packsMissing: { readonly domain: string; readonly object: string }[]
}

/**
 * Collects one domain and adds to the report; not beside another collection, check or repair of it.
 *
 * @returns why something could not be written, as on a full storage: what needs no writing was done nevertheless
 */
export async function collectDomain(
  domain: Domain,
  options: CollectOptions,
  report: CollectReport,
): Promise<VaultFailure | undefined> {
  const deletedBefore = report.packsDeleted
  let refusal: VaultFailure | undefined
  domain.beginCollection()
  try {
    const candidates = candidatesOf(domain, options.graceMs ?? 0)
    const isWhole = await comparePacks(domain, report)
    domain.remembered.forgetDeleted()
    const expected = (await options.expectedRevisions?.(domain.name)) ?? []
    const live = await markLive(domain, expected, options.signal)
    for (const revision of live.revisionsIncomplete) {
      report.revisionsIncomplete.push({ domain: domain.name, revision })
    }
    for (const revision of live.revisionsUnread)
      report.revisionsUnread.push({ domain: domain.name, revision })
    if (live.revisionsUnread.length > 0 || !isWhole) return undefined
    const dead = candidates.filter((pack) => !live.bytesOfPack.has(pack) && !domain.isPinned(pack))
    await planDeletions(domain, dead)
    for (const pack of dead) {
      options.signal?.throwIfAborted()
      await deletePack(domain, pack, report)
    }
    const sparse = candidates.filter((pack) => isSparse(domain, pack, live, options.liveFractionMin ?? 0.5))
    refusal = await refusalOf(async () => {
      for (const batch of batchesOf(domain, sparse, live)) {
        await rewritePacks(domain, batch, live, options.signal, report)
      }
      await settleDeletions(domain, live)
    })
  } finally {
    domain.endCollection()
  }
  if (report.packsDeleted === deletedBefore) return refusal
  domain.store.forgetRetired()
  return (await refusalOf(() => domain.store.segments.rewrite())) ?? refusal
}

async function refusalOf(work: () => Promise<void>): Promise<VaultFailure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (isVaultFailure(error, 'storage')) return error
    throw error
  }
}

function candidatesOf(domain: Domain, graceMs: number): number[] {
  const { store } = domain
  const nowMs = store.settings.nowMs()
  return store.durablePacks().filter((pack) => Math.abs(nowMs - store.pack(pack).createdMs) >= graceMs)
}

/**
 * Compares the packs with those that are listed, and takes up what another process has written and did not come to tell of.
 *
 * @returns whether none is missing
 */
async function comparePacks(domain: Domain, report: CollectReport): Promise<boolean> {
  const { store, name } = domain
  const expected = store.durableObjects()
  const present = new Set(await store.settings.backend.list(packsPrefix(domain.keys.tag)))
  const missing = store.missingObjects(expected, present)
  for (const object of missing) report.packsMissing.push({ domain: name, object })
  await takeUpUnknown(store, present)
  return missing.length === 0
}

/** A pinned pack would be copied in vain. */
function isSparse(domain: Domain, pack: number, live: Live, liveFractionMin: number): boolean {
  const liveBytes = live.bytesOfPack.get(pack) ?? 0
  const sizeBytes = domain.store.pack(pack).sizeBytes - packFrameBytes
  return liveBytes > 0 && liveBytes < sizeBytes * liveFractionMin && !domain.isPinned(pack)
}

/** Groups packs so that what lives in a group about fills a new pack. */
function* batchesOf(domain: Domain, packs: readonly number[], live: Live): Generator<number[]> {
  let batch: number[] = []
  let batchBytes = 0
  for (const pack of packs) {
    batch.push(pack)
    batchBytes += live.bytesOfPack.get(pack) ?? 0
    if (batchBytes < domain.store.settings.packSizeBytes) continue
    yield batch
    batch = []
    batchBytes = 0
  }
  if (batch.length > 0) yield batch
}

async function rewritePacks(
  domain: Domain,
  packs: number[],
  live: Live,
  signal: AbortSignal | undefined,
  report: CollectReport,
): Promise<void> {
  const { store } = domain
  const copy = await copyLivingChunks(domain, packs, live, signal)
  report.packsDamaged += copy.packsDamaged
  report.packsWritten += 1
  report.bytesFreed -= store.pack(copy.pack).sizeBytes
  await planDeletions(domain, [...copy.chunksOf.keys()])
  for (const [pack, chunks] of copy.chunksOf) {
    // Who relies on the old pack would not be protected in the new one.
    if (domain.isPinned(pack)) continue
    for (const { entry, offset } of chunks) store.index.move(entry, copy.pack, offset)
    await deletePack(domain, pack, report)
  }
}

function planDeletions({ store }: Domain, packs: readonly number[]): Promise<void> {
  return store.deletions.plan(packs.map((number) => store.pack(number).packId))
}

/** What a revision needs, whoever had planned to delete it has left: see planned-deletions.ts. */
async function settleDeletions({ store }: Domain, live: Live): Promise<void> {
  for (const number of store.durablePacks()) {
    if (!live.bytesOfPack.has(number)) continue
    const pack = store.pack(number)
    pack.isGoing = false
    store.deletions.settle(pack.packId)
  }
  await store.deletions.removeSettled()
}

/** Gives a pack up, unless somebody relies on it by now. Its chunks count as absent before the first byte goes. */
async function deletePack(domain: Domain, number: number, report: CollectReport): Promise<void> {
  const pack = domain.store.pack(number)
  if (domain.isPinned(number)) return
  pack.state = 'retired'
  await domain.store.settings.backend.delete(domain.store.objectOf(number))
  domain.store.deletions.settle(pack.packId)
  report.packsDeleted += 1
  report.bytesFreed += pack.sizeBytes
}
