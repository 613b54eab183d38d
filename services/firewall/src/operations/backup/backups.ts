import type { Store } from '@palisade/platform'
import { ConfigurationRefused } from '../../failure.ts'
import { type BackupFile, backupName, sizeMaxBytes } from './backup-file.ts'
import { BackupFolder } from './backup-folder.ts'
import { BackupRows } from './backup-rows.ts'

/**
 * The backups of the configuration. Each is a file in the data directory of the server that made it, which outlives the loss of the
 * database, and in PostgreSQL also lies in the database, where the other servers find it. SQLite belongs to one server: there the file
 * suffices.
 */
export class Backups {
  readonly #folder: BackupFolder
  readonly #rows: BackupRows | undefined

  constructor({ store, dataDirectory }: { readonly store: Store; readonly dataDirectory: string }) {
    this.#folder = new BackupFolder(dataDirectory)
    this.#rows = store.kind === 'postgres' ? new BackupRows(store) : undefined
  }

  /**
   * Writes a backup, which is durable when this returns.
   *
   * @param nameAt the name of a backup of a time in milliseconds since 1970. Where it is taken, also at another server, the name of the next
   *   millisecond is.
   * @returns its name
   */
  async add(nameAt: (time: number) => string, now: number, archive: Buffer): Promise<string> {
    if (archive.length > sizeMaxBytes) throw new Error(`a backup of ${archive.length} bytes is too large`)
    for (let writtenAt = now; ; writtenAt++) {
      const filename = nameAt(writtenAt)
      if (!backupName.test(filename)) throw new Error(`${filename} is no name of a backup`)
      const takeName = async () => (await this.#rows?.insert({ filename, writtenAt }, archive)) ?? true
      if (await this.#folder.write(filename, archive, takeName)) return filename
    }
  }

  /** Newest first. What is here and in the database is as it is here. */
  async list(): Promise<BackupFile[]> {
    const all = [...((await this.#rows?.list()) ?? []), ...(await this.#folder.list())]
    const byName = new Map(all.map((backup) => [backup.filename, backup]))
    return [...byName.values()].sort((a, b) => (a.filename > b.filename ? -1 : 1))
  }

  /** @throws ConfigurationRefused not-found, also for names that lead elsewhere */
  async read(filename: string): Promise<Buffer> {
    const archive = backupName.test(filename)
      ? ((await this.#folder.read(filename)) ?? (await this.#rows?.read(filename)))
      : undefined
    if (archive) return archive
    const place = this.#rows ? 'on this machine or in the database' : 'on this machine'
    throw new ConfigurationRefused({
      code: 'not-found',
      what: `backup ${JSON.stringify(filename.slice(0, 128))} ${place}`,
    })
  }

  /** Deletes all but the newest, here and in the database. Another server deletes its own files when it makes a backup. */
  async keepNewest(count: number): Promise<void> {
    for (const { filename } of (await this.list()).slice(count)) {
      await this.#folder.remove(filename)
      await this.#rows?.remove(filename)
    }
  }
}
