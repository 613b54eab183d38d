import { RequestRefused } from '@palisade/platform'
import { type BackupSession, isVaultFailure, type Vault } from '@palisade/vault'
import type { ComputerId } from '../computer-id.ts'
import type { CommitBody } from './commit-body.ts'
import type { Revisions } from './revisions.ts'
import type { VaultMetadata } from './vault-metadata.ts'

/** What of the store a commit needs. */
type RevisionEntries = Pick<Revisions, 'nextId' | 'idOfBackup' | 'originOf' | 'enter'>

/**
 * Makes revisions of finished uploads.
 *
 *     1  look up what it is of, and take a new id from the counter
 *     2  commit to the vault: every chunk and the list of them are durable
 *     3  enter the row and name it in the backup, in one transaction
 *
 * A crash after 2 leaves a revision in the vault without a row; the next start enters it (adopt-revisions.ts). A
 * failure of 3 alone is made good when the agent asks again. A backup has one revision: an agent that asks again
 * gets the same id.
 */
export class Commits {
  readonly #vault: Vault
  readonly #revisions: RevisionEntries
  readonly #running = new Map<string, Promise<number>>()
  /** Revisions by their backups, which are in the vault and whose rows could not be written yet. */
  readonly #withoutRow = new Map<string, number>()

  constructor(deps: { vault: Vault; revisions: RevisionEntries }) {
    this.#vault = deps.vault
    this.#revisions = deps.revisions
  }

  /** The revision that a backup has made already. */
  find(computer: ComputerId, backupId: string): Promise<number | undefined> {
    return this.#revisions.idOfBackup(computer, backupId)
  }

  /**
   * @returns the id of the revision
   * @throws VaultFailure `chunk-missing`, `closed`: the backup is to be begun anew; `invalid-argument`, `storage`
   */
  commit(computer: ComputerId, backupId: string, session: BackupSession, body: CommitBody): Promise<number> {
    const running = this.#running.get(backupId)
    if (running) return running
    const commit = this.#commit(computer, backupId, session, body).finally(() =>
      this.#running.delete(backupId),
    )
    this.#running.set(backupId, commit)
    return commit
  }

  async #commit(
    computer: ComputerId,
    backupId: string,
    session: BackupSession,
    { metadata, chunks }: CommitBody,
  ): Promise<number> {
    const revisionId = await this.#revisions.idOfBackup(computer, backupId)
    if (revisionId !== undefined) return revisionId
    if (metadata.chunkSizeBytes !== this.#vault.chunkSizeBytes) {
      throw new RequestRefused(
        'bad-request',
        `Chunks of this vault have ${this.#vault.chunkSizeBytes} bytes, not ${metadata.chunkSizeBytes}.`,
      )
    }
    const origin = await this.#revisions.originOf(computer, backupId)
    const vaultMetadata: VaultMetadata = { backupId, commit: metadata, ...(origin ? { origin } : {}) }
    const id = this.#withoutRow.get(backupId) ?? (await this.#commitToVault(session, vaultMetadata, chunks))
    this.#withoutRow.set(backupId, id)
    await this.#revisions.enter(computer, backupId, id, vaultMetadata)
    this.#withoutRow.delete(backupId)
    return id
  }

  async #commitToVault(
    session: BackupSession,
    vaultMetadata: VaultMetadata,
    chunks: CommitBody['chunks'],
  ): Promise<number> {
    const { volume, chunkSizeBytes } = vaultMetadata.commit
    // To the vault the frame of the disk is a part of what is kept: it comes first, in whole chunks.
    const capacityBytes = (volume.frame?.chunkCount ?? 0) * chunkSizeBytes + volume.capacityBytes
    const revision = { volume: volume.deviceId, capacityBytes, metadata: vaultMetadata, chunks }
    for (;;) {
      const id = await this.#revisions.nextId()
      try {
        await session.commitRevision({ ...revision, revision: String(id) })
        return id
      } catch (error) {
        // The counter is behind the vault, as after a loss of the database: the next id may be free.
        if (!isVaultFailure(error, 'revision-exists')) throw error
      }
    }
  }
}
