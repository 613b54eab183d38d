import type { CommitMetadata } from '@palisade/agent-protocol'
import { idSizeBytes, patchedEntrySizeBytes } from '@palisade/agent-protocol/wire'
import { ChunkList, RevisionChunks } from '@palisade/vault'

/** A revision as a server keeps it. */
export interface StoredRevision {
  readonly metadata: CommitMetadata
  /** The names of its chunks: 32 bytes a chunk, zeros for a chunk of zeros. */
  readonly ids: Buffer
  /** What is said of those that are patched, as it was committed; nothing when none is. */
  readonly table?: Buffer
}

/**
 * Takes the body of a commit apart.
 *
 * @throws when it is none
 */
export function readCommit(body: Buffer): StoredRevision {
  const headEnd = 4 + body.readUInt32LE(0)
  const metadata: CommitMetadata = JSON.parse(body.toString('utf8', 4, headEnd))
  const { chunkCount, patchedCount = 0 } = metadata
  const idsEnd = headEnd + chunkCount * idSizeBytes
  const [ids, table] = [body.subarray(headEnd, idsEnd), body.subarray(idsEnd)]
  if (table.length !== patchedCount * patchedEntrySizeBytes) throw new Error('a commit has a wrong length')
  const revision = { metadata, ids, table }
  chunksOf(revision)
  return revision
}

/** @throws VaultFailure when what is said of patched chunks cannot be */
export function chunksOf({ ids, table = Buffer.alloc(0) }: StoredRevision): RevisionChunks {
  return RevisionChunks.patched(new ChunkList(ids), table)
}

/** A patched chunk of a revision. */
export interface PatchedIds {
  readonly position: number
  readonly base: Buffer
  readonly patch: Buffer
}

/** The patched chunks of a revision, in order. */
export function patchedOf(revision: StoredRevision): PatchedIds[] {
  const chunks = chunksOf(revision)
  return [...chunks.patchedIn(0, chunks.count)].map(({ position, patch }) => ({
    position,
    base: chunks.stored.id(position),
    patch: chunks.stored.id(patch),
  }))
}
