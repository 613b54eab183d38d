/** What the chunks of a task are sealed with or open with: keys that the server hands out, or the computer's own. */
import type { CommitMetadata, RevisionToRestore } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { ChunkKeys, SealingKeys } from '@palisade/vault'
import { TaskFailure } from '../failure.ts'
import { fetchKeys } from '../server/keys.ts'
import type { RequestContext } from '../server/request-context.ts'
import { retryRequest } from '../server/retry-request.ts'
import type { OwnKey } from './own-key.ts'

/** What a backup is made with. */
export interface BackupKeys {
  readonly sealing: SealingKeys
  /** The size of the chunks of new revisions. */
  readonly chunkSizeBytes: number
  /** How many chunks of a new revision may be patched. */
  readonly patchedChunksMax: number
  /** What the revision says of its key. */
  readonly metadata: Pick<CommitMetadata, 'endToEnd'>
}

/** What the keys of a task are found with. */
interface KeyContext extends RequestContext {
  /** The computer's own key; undefined when it has none. */
  readonly ownKey: OwnKey | undefined
}

/**
 * The keys for a new backup.
 *
 * @throws TaskFailure EndToEndKeyMissing or EndToEndKeyWrong when the computer's backups are sealed with another key than
 *   this agent has
 */
export async function keysForBackup({
  client,
  signal,
  retryPolicy,
  ownKey,
}: KeyContext): Promise<BackupKeys> {
  const { chunkKeys, marking, endToEndKeyCheck, ...revisions } = await retryRequest(
    () => fetchKeys(client, signal),
    { signal, retryPolicy, addresses: client.addresses },
  )
  if (endToEndKeyCheck !== undefined) requireKey(endToEndKeyCheck, ownKey, 'the backups of this computer are')
  if (ownKey === undefined) return { ...revisions, sealing: chunkKeys, metadata: {} }
  await ownKey.confirm()
  return {
    ...revisions,
    sealing: { ...ownKey.chunks, marking },
    metadata: { endToEnd: { keyCheck: ownKey.keyCheck } },
  }
}

/** Which keys open the chunks of which revision of a restore. */
export type RestoreKeys = (revision: Pick<RevisionToRestore, 'endToEndKeyCheck'>) => ChunkKeys

/**
 * The keys for a restore.
 *
 * @throws TaskFailure EndToEndKeyMissing or EndToEndKeyWrong when one of the revisions is sealed with a key that this agent
 *   does not have
 */
export async function keysForRestore(
  revisions: readonly RevisionToRestore[],
  { client, signal, retryPolicy, ownKey }: KeyContext,
): Promise<RestoreKeys> {
  for (const { revisionId, endToEndKeyCheck } of revisions) {
    if (endToEndKeyCheck !== undefined) requireKey(endToEndKeyCheck, ownKey, `revision ${revisionId} is`)
  }
  const { chunkKeys } = await retryRequest(() => fetchKeys(client, signal), {
    signal,
    retryPolicy,
    addresses: client.addresses,
  })
  return ({ endToEndKeyCheck }) => (endToEndKeyCheck === undefined ? chunkKeys : ownChunks(ownKey))
}

/**
 * The key that the chunks of a disk are named with to compare it with a revision.
 *
 * The server says which disk and which revision. From names that are made with its own keys it would learn whether what it guesses is on
 * the disk; so an agent with a key of its own uses no other, and none compares pieces of a size that only this question has.
 *
 * @throws TaskFailure EndToEndKeyMissing or EndToEndKeyWrong when the revision is sealed with a key that this agent does not have, or is
 *   not sealed with that which it has
 */
export async function namingForComparison(
  { revisionId, endToEndKeyCheck, chunkSizeBytes }: RevisionToRestore,
  { client, signal, retryPolicy, ownKey }: KeyContext,
): Promise<Uint8Array> {
  const what = `revision ${revisionId}`
  if (endToEndKeyCheck !== undefined) requireKey(endToEndKeyCheck, ownKey, `${what} is`)
  else if (ownKey !== undefined) {
    throw new TaskFailure(
      taskFailures.endToEndKeyMissing,
      `${what} is not sealed end to end, and this agent compares only what is sealed with its own key`,
    )
  }
  const server = await retryRequest(() => fetchKeys(client, signal), {
    signal,
    retryPolicy,
    addresses: client.addresses,
  })
  if (chunkSizeBytes !== server.chunkSizeBytes) {
    const sizes = `chunks of ${chunkSizeBytes} bytes, and those of the vault have ${server.chunkSizeBytes}`
    throw new TaskFailure(taskFailures.dataDamaged, `${what} is said to have ${sizes}`)
  }
  return (ownKey?.chunks ?? server.chunkKeys).naming
}

function requireKey(keyCheck: string, ownKey: OwnKey | undefined, what: string): void {
  const sealed = `${what} sealed end to end with the key ${keyCheck}`
  if (ownKey === undefined) {
    throw new TaskFailure(
      taskFailures.endToEndKeyMissing,
      `${sealed}, and this agent has none; start it with --end-to-end-key-file`,
    )
  }
  if (ownKey.keyCheck === keyCheck) return
  throw new TaskFailure(
    taskFailures.endToEndKeyWrong,
    `${sealed}, and this agent has the key ${ownKey.keyCheck}`,
  )
}

function ownChunks(ownKey: OwnKey | undefined): ChunkKeys {
  if (ownKey === undefined) throw new Error('a revision needs a key that was not required')
  return ownKey.chunks
}
