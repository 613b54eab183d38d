import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { ConfigurationRefused } from '../../failure.ts'

/** A backup that lies in the folder. */
export interface BackupFile {
  readonly filename: string
  readonly sizeBytes: number
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number
}

/** What the files are called; nothing else in the folder is looked at, and nothing outside of it. */
const backupName = /^configuration-[A-Za-z0-9._-]{1,100}\.backup$/

/** Larger files are no backups of ours. */
const sizeMaxBytes = 256 * 1024 * 1024

/** The backups that lie on this machine, in a folder of the data directory that only its owner can read. */
export class BackupFolder {
  readonly #folder: string

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'firewall-backups')
  }

  /** Writes a backup, which is durable when this returns. An unfinished one never has a backup's name. */
  async write(filename: string, bytes: Buffer): Promise<void> {
    if (!backupName.test(filename)) throw new Error(`${filename} is no name of a backup`)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const temporary = join(this.#folder, `${filename}.partial`)
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(this.#folder, filename))
    const folder = await open(this.#folder)
    await folder.sync().finally(() => folder.close())
  }

  /** Newest first. */
  async list(): Promise<BackupFile[]> {
    const names = await readdir(this.#folder).catch(emptyWhenMissing)
    const backups = await Promise.all(names.map((name) => this.#look(name)))
    return backups.filter((file) => file !== undefined).sort((a, b) => (a.filename > b.filename ? -1 : 1))
  }

  /** @throws ConfigurationRefused not-found, also for names that lead elsewhere */
  async read(filename: string): Promise<Buffer> {
    if (!(await this.#look(filename))) {
      const what = `backup ${JSON.stringify(filename.slice(0, 128))} on this machine; each server has the files that it has made`
      throw new ConfigurationRefused({ code: 'not-found', what })
    }
    return readFile(join(this.#folder, filename))
  }

  /** Deletes all but the newest. */
  async keepNewest(count: number): Promise<void> {
    for (const { filename } of (await this.list()).slice(count)) await rm(join(this.#folder, filename))
  }

  /** The file with this name; undefined when it is none of ours, or no plain file. */
  async #look(filename: string): Promise<BackupFile | undefined> {
    if (!backupName.test(filename)) return undefined
    const stats = await lstat(join(this.#folder, filename)).catch(() => undefined)
    if (!stats?.isFile() || stats.size > sizeMaxBytes) return undefined
    return { filename, sizeBytes: stats.size, writtenAt: stats.mtimeMs }
  }
}

function emptyWhenMissing(error: unknown): string[] {
  if (systemCode(error) === 'ENOENT') return []
  throw error
}
