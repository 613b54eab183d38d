import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { type BackupFile, backupName, sizeMaxBytes } from './backup-file.ts'

/** The backups that lie on this machine, in a folder of the data directory that only its owner can read. */
export class BackupFolder {
  readonly #folder: string

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'firewall-backups')
  }

  /**
   * Writes a backup, which is durable when this returns. An unfinished one never has a backup's name, and a file that is there is never
   * overwritten.
   *
   * @param takeName called when the bytes are durable, and before the file gets its name; false means that somebody else has the name
   * @returns false when the name is taken; then nothing was written
   */
  async write(filename: string, bytes: Buffer, takeName: () => Promise<boolean>): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, filename)
    const temporary = `${path}.partial`
    const file = await open(temporary, 'wx', 0o600).catch(undefinedWhen('EEXIST'))
    if (file === undefined) return false
    try {
      try {
        if (await lstat(path).catch(undefinedWhen('ENOENT'))) return false
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      if (!(await takeName())) return false
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
    const folder = await open(this.#folder)
    await folder.sync().finally(() => folder.close())
    return true
  }

  /** In no order. */
  async list(): Promise<BackupFile[]> {
    const names = (await readdir(this.#folder).catch(undefinedWhen('ENOENT'))) ?? []
    const backups = await Promise.all(names.map((name) => this.#look(name)))
    return backups.filter((file) => file !== undefined)
  }

  /** @returns undefined when there is none, also for names that lead elsewhere */
  async read(filename: string): Promise<Buffer | undefined> {
    if (!(await this.#look(filename))) return undefined
    return readFile(join(this.#folder, filename)).catch(undefinedWhen('ENOENT'))
  }

  /** Does nothing when there is none. */
  async remove(filename: string): Promise<void> {
    if (await this.#look(filename)) await rm(join(this.#folder, filename), { force: true })
  }

  /** The file with this name; undefined when it is none of ours, or no plain file. */
  async #look(filename: string): Promise<BackupFile | undefined> {
    if (!backupName.test(filename)) return undefined
    const stats = await lstat(join(this.#folder, filename)).catch(() => undefined)
    if (!stats?.isFile() || stats.size > sizeMaxBytes) return undefined
    return { filename, sizeBytes: stats.size, writtenAt: stats.mtimeMs }
  }
}

/** What a call failed with, but for one code of the system, which means that there is nothing. */
function undefinedWhen(code: string): (error: unknown) => undefined {
  return (error) => {
    if (systemCode(error) !== code) throw error
  }
}
