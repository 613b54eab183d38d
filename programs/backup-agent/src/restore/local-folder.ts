import { constants, type FileHandle, link, lstat, open, rename, rm, statfs, unlink } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { destinationFailures, systemCode, TaskFailure } from '../failure.ts'
import { syncDirectory } from '../state/write-durably.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { Destination, DiskWork } from './destination.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { partialNames, probeName } from './file-names.ts'
import { makeFolder } from './make-folder.ts'
import { writeLocalDisks } from './write-local-disks.ts'

/** How a file system says that it has no hard links. */
const noHardLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** What is asked of the system to give a file its name; tests stand in for file systems without hard links. */
export interface Naming {
  readonly link: (existing: string, name: string) => Promise<void>
}

/** A folder of this computer. */
export class LocalFolder implements Destination {
  readonly workOfThreads = 'write'
  readonly folder: string
  readonly #naming: Naming

  /** @throws TaskFailure CreateFolderFailed when the path is not absolute */
  constructor(path: string, naming: Naming = { link }) {
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new TaskFailure(
        destinationFailures.createFolderFailed,
        `${JSON.stringify(path)} is not an absolute path on this computer`,
      )
    }
    this.folder = resolve(path)
    this.#naming = naming
  }

  async prepare(): Promise<void> {
    await this.#attempt(this.folder, () => makeFolder(this.folder))
  }

  async probe<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
    const path = this.pathOf(probeName())
    const file = await this.#attempt(path, () => open(path, 'wx+', 0o600))
    try {
      await file.close()
      return await use(path)
    } finally {
      await this.removePartial(path)
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await this.#attempt(this.folder, () => statfs(this.folder))
    return bavail * bsize
  }

  pathOf(fileName: string): string {
    return join(this.folder, fileName)
  }

  partialPaths(restoreId: string, baseNames: readonly string[]): readonly string[] {
    return partialNames(restoreId, baseNames).map((name) => this.pathOf(name))
  }

  async write(work: DiskWork, context: TaskContext): Promise<void> {
    await writeLocalDisks(work, this, context)
  }

  /**
   * Creates an empty file under a partial name, instead of one that an earlier run left. The agent's threads
   * write to it by its path, at any position and in any order; only the agent's user can read it.
   */
  async createPartial(partialPath: string): Promise<FileHandle> {
    await this.removePartial(partialPath)
    return this.#attempt(partialPath, () => open(partialPath, 'wx+', 0o600))
  }

  async removePartial(partialPath: string): Promise<void> {
    await this.#attempt(partialPath, () => rm(partialPath, { force: true }))
  }

  async giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean> {
    return this.#attempt(finalPath, async () => {
      const isGiven =
        (wasAttempted && (await this.#hasName(partialPath, finalPath))) ||
        (await this.#tryName(partialPath, finalPath))
      if (isGiven) await syncDirectory(this.folder)
      return isGiven
    })
  }

  /** An earlier run may have ended after it gave the name, before or after it took the partial name away. */
  async #hasName(partialPath: string, finalPath: string): Promise<boolean> {
    const [partial, final] = await Promise.all([identityOf(partialPath), identityOf(finalPath)])
    if (final === undefined) return false
    if (partial === final) await unlink(partialPath)
    return partial === undefined || partial === final
  }

  /** A second name and then no first one: the only way to rename that never replaces a file. */
  async #tryName(partialPath: string, finalPath: string): Promise<boolean> {
    try {
      await this.#naming.link(partialPath, finalPath)
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EEXIST') return false
      if (code !== undefined && noHardLinks.has(code)) return this.#tryRename(partialPath, finalPath)
      throw error
    }
    await unlink(partialPath)
    return true
  }

  /**
   * Without hard links: takes the name with an empty file, which fails when there is one, and replaces that. A
   * crash between the two leaves the empty file behind; the disk then gets the next name.
   */
  async #tryRename(partialPath: string, finalPath: string): Promise<boolean> {
    try {
      const placeholder = await open(
        finalPath,
        constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
        0o600,
      )
      await placeholder.close()
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw error
    }
    await rename(partialPath, finalPath)
    return true
  }

  async #attempt<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (error) {
      throw asDestinationFailure(error, path)
    }
  }
}

/** Which file a name belongs to; undefined when there is no such name. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
