import { type CommitMetadata, VolumeDescription } from '@palisade/agent-protocol'
import { isStorableText, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { Compile } from 'typebox/compile'
import type { ComputerId } from '../computers/computer-id.ts'
import { parseStored } from '../stored-json.ts'
import type { BackupTables, RevisionRow } from '../tables.ts'

/** One backup of one volume. */
export interface Revision {
  readonly id: number
  readonly volume: VolumeDescription
  /** When the source was read, milliseconds since 1970. */
  readonly createdAt: number
  readonly chunkSizeBytes: number
  readonly chunkCount: number
}

const volumes = Compile(VolumeDescription)

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
    { volume, createdAtMs, chunkSizeBytes, chunkCount }: CommitMetadata,
  ): Promise<void> {
    const row: RevisionRow = {
      id,
      account_id: computer.accountId,
      computer_id: computer.computerId,
      backup_id: backupId,
      device_id: volume.deviceId,
      created_at: createdAtMs,
      chunk_size_bytes: chunkSizeBytes,
      chunk_count: chunkCount,
      volume: JSON.stringify(volume),
    }
    await this.#tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('backup_revision')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await transaction
        .updateTable('backup_task')
        .set({ revision_id: id })
        .where('id', '=', backupId)
        .where('kind', '=', 'backup')
        .where('revision_id', 'is', null)
        .execute()
      await transaction
        .updateTable('backup_counter')
        .set({ value: id })
        .where('name', '=', 'revision')
        .where('value', '<', id)
        .execute()
    })
  }

  /** The revision that a backup has made. */
  async idOfBackup(computer: ComputerId, backupId: string): Promise<number | undefined> {
    if (!isStorableText(backupId)) return undefined
    const row = await this.#ofComputer(computer).where('backup_id', '=', backupId).executeTakeFirst()
    return row?.id
  }

  /** The computer's revisions with these ids, in the order of the ids. */
  async find(computer: ComputerId, ids: readonly number[]): Promise<Revision[]> {
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

  async ids(computer: ComputerId): Promise<Set<number>> {
    const rows = await this.#tables
      .selectFrom('backup_revision')
      .select('id')
      .where('account_id', '=', computer.accountId)
      .where('computer_id', '=', computer.computerId)
      .execute()
    return new Set(rows.map(({ id }) => id))
  }

  #ofComputer({ accountId, computerId }: ComputerId) {
    return this.#tables
      .selectFrom('backup_revision')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
  }
}

function revisionOf(row: RevisionRow): Revision {
  return {
    id: row.id,
    volume: parseStored(volumes, row.volume),
    createdAt: row.created_at,
    chunkSizeBytes: row.chunk_size_bytes,
    chunkCount: row.chunk_count,
  }
}
