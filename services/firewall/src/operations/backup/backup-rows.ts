import type { Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../../tables.ts'
import type { BackupFile } from './backup-file.ts'

/** Of an archive in one row: its base64 is a mebibyte. So no more than that of an archive is in memory a second time. */
const partSizeBytes = 768 * 1024

/**
 * Backups in the database, where every server reads them. An archive is cut into parts, a row each:
 *
 *   firewall_backup   filename | part (0, 1, …) | size | written_at | content
 *
 * They are written in one transaction, and never changed: whoever sees the first part sees all of them until they are removed.
 */
export class BackupRows {
  readonly #tables: Kysely<FirewallTables>

  constructor(store: Store) {
    this.#tables = store.tables<FirewallTables>()
  }

  /** @returns false when there is a backup of this name, which stays as it is */
  insert({ filename, writtenAt }: Omit<BackupFile, 'sizeBytes'>, archive: Buffer): Promise<boolean> {
    return this.#tables.transaction().execute(async (tables) => {
      for (let start = 0; start < archive.length; start += partSizeBytes) {
        const { numInsertedOrUpdatedRows } = await tables
          .insertInto('firewall_backup')
          .values({
            filename,
            part: start / partSizeBytes,
            size: archive.length,
            written_at: writtenAt,
            content: archive.toString('base64', start, Math.min(start + partSizeBytes, archive.length)),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows === 0n) return false
      }
      return true
    })
  }

  /** In no order. */
  list(): Promise<BackupFile[]> {
    return this.#tables
      .selectFrom('firewall_backup')
      .select(['filename', 'size as sizeBytes', 'written_at as writtenAt'])
      .where('part', '=', 0)
      .execute()
  }

  /** @returns undefined when there is none, or it is removed meanwhile */
  async read(filename: string): Promise<Buffer | undefined> {
    let archive: Buffer | undefined
    let length = 0
    for (let part = 0; archive === undefined || length < archive.length; part++) {
      const row = await this.#tables
        .selectFrom('firewall_backup')
        .select(['size', 'content'])
        .where('filename', '=', filename)
        .where('part', '=', part)
        .executeTakeFirst()
      if (!row) return undefined
      archive ??= Buffer.alloc(row.size)
      length += archive.write(row.content, length, 'base64')
    }
    return archive
  }

  /** Does nothing when there is none. */
  async remove(filename: string): Promise<void> {
    await this.#tables.deleteFrom('firewall_backup').where('filename', '=', filename).execute()
  }
}
