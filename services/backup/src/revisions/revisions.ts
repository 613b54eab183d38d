import { Hardware, VolumeDescription } from '@palisade/agent-protocol'
import { isStorableText, LazyValidator, type Store } from '@palisade/platform'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { Part } from '../part.ts'
import { RevisionOrigin } from '../revision-origin.ts'
import { parseStored } from '../stored-json.ts'
import type { BackupTables, RevisionRow } from '../tables.ts'
import { backupOf } from '../tasks/task-record.ts'
import { RevisionProof } from './proof.ts'
import { forgetUnusedScreenshots } from './screenshots.ts'
import type { VaultMetadata } from './vault-metadata.ts'
import { RevisionVerification } from './verification.ts'

/** One backup of one volume. */
export interface Revision {
  readonly id: number
  readonly volume: VolumeDescription
  /** What it was of when it was made; null of revisions of earlier versions. */
  readonly origin: RevisionOrigin | null
  /** When the source was read, milliseconds since 1970. */
  readonly createdAt: number
  readonly chunkSizeBytes: number
  readonly chunkCount: number
  /** The run of a backup set that made it, and that set; null for a backup that was started by itself. */
  readonly actionId: number | null
  readonly setId: string | null
  /** The machine that it is of; null unless it is of a boot volume. */
  readonly hardware: Hardware | null
  /** Recognises the computer's own key that its chunks are sealed with; null when the vault's keys open them. */
  readonly endToEndKeyCheck: string | null
  /** What came of the newest verification. */
  readonly verification: RevisionVerification | null
  /** What came of the newest proof of recovery. */
  readonly proof: RevisionProof | null
  /** When a machine of it was last seen running, milliseconds since 1970. */
  readonly provedBootableAt: number | null
  /** Whether nobody and no retention deletes it, until it is unpinned. */
  readonly isPinned: boolean
}

const volumes = new LazyValidator(VolumeDescription)
const origins = new LazyValidator(RevisionOrigin)
const machines = new LazyValidator(Hardware)
const verifications = new LazyValidator(RevisionVerification)
const proofs = new LazyValidator(RevisionProof)

/** The revisions in the store. Their chunks are in the vault, and were durable there before a row was written. */
export class Revisions {
  readonly #tables: Kysely<BackupTables>

  constructor(store: Store) {
    this.#tables = store.tables<BackupTables>()
  }

  /** The id of a new revision. One that is not used stays unused. */
  async nextId(): Promise<number> {
    const { value } = await this.#tables
      .updateTable('backup_counter')
      .set((column) => ({ value: column('value', '+', 1) }))
      .where('name', '=', 'revision')
      .returning('value')
      .executeTakeFirstOrThrow()
    return value
  }

  /** Enters a revision that is in the vault, and names it in its backup. Doing so twice is no failure. */
  async enter(
    computer: ComputerId,
    backupId: string,
    id: number,
    { commit, origin }: Pick<VaultMetadata, 'commit'> & { readonly origin?: RevisionOrigin | undefined },
  ): Promise<void> {
    const { volume, createdAtMs, chunkSizeBytes, chunkCount, hardware, endToEnd } = commit
    const row = {
      id,
      account_id: computer.accountId,
      computer_id: computer.computerId,
      backup_id: backupId,
      device_id: volume.deviceId,
      created_at: createdAtMs,
      chunk_size_bytes: chunkSizeBytes,
      chunk_count: chunkCount,
      volume: JSON.stringify(volume),
      origin: origin ? JSON.stringify(origin) : null,
      hardware: volume.isBoot && hardware ? JSON.stringify(hardware) : null,
      end_to_end_key_check: endToEnd?.keyCheck ?? null,
    }
    await this.#tables.transaction().execute(async (transaction) => {
      const run = await transaction
        .selectFrom('backup_task')
        .leftJoin('backup_action', 'backup_action.id', 'backup_task.action_id')
        .select(['backup_task.action_id', 'backup_action.set_id'])
        .where('backup_task.id', '=', backupId)
        .executeTakeFirst()
      await transaction
        .insertInto('backup_revision')
        .values({ ...row, action_id: run?.action_id ?? null, set_id: run?.set_id ?? null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await transaction
        .updateTable('backup_task')
        .set({ revision_id: id })
        .where('id', '=', backupId)
        .where('kind', '=', 'backup')
        .where('revision_id', 'is', null)
        .execute()
      await this.passOver(id, transaction)
    })
  }

  /** Gives no new revision an id up to this one. Also within a transaction. */
  async passOver(id: number, tables: Kysely<BackupTables> = this.#tables): Promise<void> {
    await tables
      .updateTable('backup_counter')
      .set({ value: id })
      .where('name', '=', 'revision')
      .where('value', '<', id)
      .execute()
  }

  /** The revision that a backup has made. */
  async idOfBackup(computer: ComputerId, backupId: string): Promise<number | undefined> {
    if (!isStorableText(backupId)) return undefined
    const row = await this.#everyOf(computer).where('backup_id', '=', backupId).executeTakeFirst()
    return row?.id
  }

  /** What the revision of a backup is of; undefined when there is no such backup. */
  async originOf(
    { accountId, computerId }: ComputerId,
    backupId: string,
  ): Promise<RevisionOrigin | undefined> {
    const row = await this.#tables
      .selectFrom('backup_task')
      .innerJoin('backup_computer', (join) =>
        join
          .onRef('backup_computer.account_id', '=', 'backup_task.account_id')
          .onRef('backup_computer.id', '=', 'backup_task.computer_id'),
      )
      .leftJoin('backup_action', 'backup_action.id', 'backup_task.action_id')
      .leftJoin('backup_set', 'backup_set.id', 'backup_action.set_id')
      .selectAll('backup_task')
      .select(['backup_computer.host_name', 'backup_set.name as set_name'])
      .where('backup_task.id', '=', backupId)
      .where('backup_task.account_id', '=', accountId)
      .where('backup_task.computer_id', '=', computerId)
      .where('backup_task.kind', '=', 'backup')
      .executeTakeFirst()
    if (!row) return undefined
    const { source } = backupOf(row).request
    return { source, hostName: row.host_name, setName: row.set_name }
  }

  /** The computer's revisions with these ids, in the order of the ids. */
  async find(computer: ComputerId, ids: readonly number[]): Promise<Revision[]> {
    if (ids.length === 0) return []
    const rows = await this.#ofComputer(computer).where('id', 'in', ids).execute()
    const byId = new Map(rows.map((row) => [row.id, revisionOf(row)]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /** The newest revision of each volume of the computer, by id. */
  async newestOfEachVolume(computer: ComputerId): Promise<Revision[]> {
    const newest = this.#tables
      .selectFrom('backup_revision')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('account_id', '=', computer.accountId)
      .where('computer_id', '=', computer.computerId)
      .where('deleted_at', 'is', null)
      .groupBy('device_id')
    return (await this.#ofComputer(computer).where('id', 'in', newest).orderBy('id').execute()).map(
      revisionOf,
    )
  }

  /** All revisions of one volume, newest first. */
  async ofVolume(computer: ComputerId, deviceId: string): Promise<Revision[]> {
    if (!isStorableText(deviceId)) return []
    const rows = await this.#ofComputer(computer)
      .where('device_id', '=', deviceId)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(revisionOf)
  }

  /** A part of the revisions of a computer, newest first. */
  async newest(computer: ComputerId, { offset, limit }: Part): Promise<Revision[]> {
    const rows = await this.#ofComputer(computer).orderBy('id', 'desc').offset(offset).limit(limit).execute()
    return rows.map(revisionOf)
  }

  /** All revisions of a computer, in the order of their ids. */
  async all(computer: ComputerId): Promise<Revision[]> {
    return (await this.#ofComputer(computer).orderBy('id').execute()).map(revisionOf)
  }

  /** The revisions of a computer that are marked as damaged, in the order of their ids. */
  async damaged(computer: ComputerId): Promise<Revision[]> {
    const rows = await this.#ofComputer(computer)
      .where('verification', 'like', '%"DAMAGED"%')
      .orderBy('id')
      .execute()
    return rows.map(revisionOf).filter(({ verification }) => verification?.state === 'DAMAGED')
  }

  /** The revisions that runs of a set have made, in the order of their ids. */
  async ofSet(computer: ComputerId, setId: string): Promise<Revision[]> {
    const rows = await this.#ofComputer(computer).where('set_id', '=', setId).orderBy('id').execute()
    return rows.map(revisionOf)
  }

  /** The revisions that one run of a set has made, in the order of their ids. */
  async ofAction(computer: ComputerId, actionId: number): Promise<Revision[]> {
    const rows = await this.#ofComputer(computer).where('action_id', '=', actionId).orderBy('id').execute()
    return rows.map(revisionOf)
  }

  /** Keeps what came of a verification, in the place of what came of the one before. */
  async noteVerification(computer: ComputerId, ids: readonly number[], verification: RevisionVerification) {
    if (ids.length === 0) return
    await this.#tables
      .updateTable('backup_revision')
      .set({ verification: JSON.stringify(verification) })
      .where('account_id', '=', computer.accountId)
      .where('computer_id', '=', computer.computerId)
      .where('id', 'in', ids)
      .execute()
  }

  /** Pins or unpins a revision. @returns whether it is there */
  async setPinned({ accountId, computerId }: ComputerId, id: number, isPinned: boolean): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('backup_revision')
      .set({ is_pinned: isPinned ? 1 : 0 })
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /**
   * Marks revisions as deleted, which hides them from everybody, in a transaction of whoever knows that nobody reads them. Pinned
   * ones are not marked.
   *
   * @returns those that were not marked before
   */
  async markDeleted(
    transaction: Transaction<BackupTables>,
    computer: ComputerId,
    ids: readonly number[],
    atMs: number,
  ): Promise<number[]> {
    if (ids.length === 0) return []
    const rows = await transaction
      .updateTable('backup_revision')
      .set({ deleted_at: atMs })
      .where('account_id', '=', computer.accountId)
      .where('computer_id', '=', computer.computerId)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('is_pinned', '=', 0)
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  /** What is marked as deleted and may still be in the vault, of all computers. */
  marked(): Promise<(ComputerId & { readonly id: number })[]> {
    return this.#tables
      .selectFrom('backup_revision')
      .select(['id', 'account_id as accountId', 'computer_id as computerId'])
      .where('deleted_at', 'is not', null)
      .execute()
  }

  /** Removes the row of a revision that the vault no longer has, and the picture of its proof. */
  async forget(id: number): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const deletedRow = await transaction
        .deleteFrom('backup_revision')
        .where('id', '=', id)
        .where('deleted_at', 'is not', null)
        .returning('proof_restore_id')
        .execute()
      const proofs = deletedRow.flatMap(({ proof_restore_id }) => proof_restore_id ?? [])
      await forgetUnusedScreenshots(transaction, proofs)
    })
  }

  /** The ids of the revisions of a computer that are not marked as deleted. */
  async listedIds(computer: ComputerId): Promise<number[]> {
    const rows = await this.#ofComputer(computer).clearSelect().select('id').execute()
    return rows.map(({ id }) => id)
  }

  /** The ids of all rows, those included that are marked as deleted. */
  async ids(computer: ComputerId): Promise<Set<number>> {
    const rows = await this.#tables
      .selectFrom('backup_revision')
      .select('id')
      .where('account_id', '=', computer.accountId)
      .where('computer_id', '=', computer.computerId)
      .execute()
    return new Set(rows.map(({ id }) => id))
  }

  #ofComputer(computer: ComputerId) {
    return this.#everyOf(computer).where('deleted_at', 'is', null)
  }

  /** Those included that are marked as deleted. */
  #everyOf({ accountId, computerId }: ComputerId) {
    return this.#tables
      .selectFrom('backup_revision')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
  }
}

function revisionOf(row: Selectable<RevisionRow>): Revision {
  return {
    id: row.id,
    volume: parseStored(volumes, row.volume),
    origin: row.origin === null ? null : parseStored(origins, row.origin),
    createdAt: row.created_at,
    chunkSizeBytes: row.chunk_size_bytes,
    chunkCount: row.chunk_count,
    actionId: row.action_id,
    setId: row.set_id,
    hardware: row.hardware === null ? null : parseStored(machines, row.hardware),
    endToEndKeyCheck: row.end_to_end_key_check,
    verification: row.verification === null ? null : parseStored(verifications, row.verification),
    proof: row.proof === null ? null : parseStored(proofs, row.proof),
    provedBootableAt: row.proved_bootable_at,
    isPinned: row.is_pinned === 1,
  }
}
