import { constants, type FileHandle, link, lstat, open, rename, statfs, unlink } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { systemCode } from '@palisade/private-files'
import { asDestinationFailure, destinationFailures, TaskFailure } from '../failure.ts'
import { linuxFileCalls } from '../system-calls/linux-files.ts'
import { type OpenFolder, OutsideOfLimits, openFolder } from '../system-calls/open-folder.ts'
import { type AllowedDestinations, isOfSystem } from './allowed-destinations.ts'
import type { Destination } from './destination.ts'
import { partialNames, probeName } from './file-names.ts'

/** How a file system says that it has no hard links. */
const noHardLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
/** Stands for a name that is no file's. */
const noFile = 'no file'
/** `EEXIST`, on every Linux. */
const nameIsTaken = 17

/** What is asked of the system to give a file its name; tests stand in for file systems without hard links. */
export interface Naming {
  readonly link: (existing: string, name: string) => Promise<void>
}

/** Where restores may write. */
export interface LocalFolderOptions {
  /** Where it may be, whatever links there are when it is used; anywhere when it is left out. */
  readonly allowed?: AllowedDestinations | undefined
  readonly naming?: Naming
}

/**
 * A folder of this computer. Somebody else may write in it and in the folders above, so no path is used for what was found by a
 * path before: each step opens the folder anew and works through its descriptor, and a disk is written through its own.
 */
export class LocalFolder implements Destination {
  readonly folder: string
  readonly #allowed: AllowedDestinations | undefined
  readonly #naming: Naming
  /** Which files were made here, by their partial names. */
  readonly #created = new Map<string, string>()

  /** @throws TaskFailure CreateFolderFailed when the path is not absolute, or not one of those that are allowed */
  constructor(path: string, { allowed, naming = { link } }: LocalFolderOptions = {}) {
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new TaskFailure(
        destinationFailures.createFolderFailed,
        `${JSON.stringify(path)} is not an absolute path on this computer`,
      )
    }
    this.folder = resolve(path)
    allowed?.require(this.folder)
    this.#allowed = allowed
    this.#naming = naming
  }

  /** What the system said about the folder or a file in it, as a failure of the restore. */
  failureOf(error: unknown, path: string): TaskFailure {
    return asDestinationFailure(error, path)
  }

  async prepare(): Promise<void> {
    await this.#attempt(this.folder, () => this.#inFolder(async () => undefined, true))
  }

  async probe<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
    const name = probeName()
    const path = this.pathOf(name)
    await this.#attempt(path, () =>
      this.#inFolder(async (folder) => (await open(join(folder.path, name), 'wx+', 0o600)).close()),
    )
    try {
      return await use(path)
    } finally {
      await this.removePartial(path)
    }
  }

  async freeBytes(): Promise<number> {
    return this.#attempt(this.folder, () =>
      this.#inFolder(async ({ path }) => {
        const { bavail, bsize } = await statfs(path)
        return bavail * bsize
      }),
    )
  }

  /**
   * Runs something on the folder.
   *
   * @param look is given a path that leads to the folder, until it resolves
   */
  async use<Result>(look: (path: string) => Promise<Result>): Promise<Result> {
    return this.#attempt(this.folder, () => this.#inFolder(({ path }) => look(path)))
  }

  pathOf(fileName: string): string {
    return join(this.folder, fileName)
  }

  partialPaths(restoreId: string, baseNames: readonly string[]): readonly string[] {
    return partialNames(restoreId, baseNames).map((name) => this.pathOf(name))
  }

  /**
   * Creates an empty file under a partial name, instead of one that an earlier run left. The agent's threads write to it through
   * its descriptor, at any position and in any order; only the agent's user can read it.
   */
  async createPartial(partialPath: string): Promise<FileHandle> {
    const name = basename(partialPath)
    return this.#attempt(partialPath, () =>
      this.#inFolder(async (folder) => {
        await unlinkIfThere(join(folder.path, name))
        const file = await open(join(folder.path, name), 'wx+', 0o600)
        this.#created.set(name, identityOf(await file.stat({ bigint: true })))
        return file
      }),
    )
  }

  async removePartial(partialPath: string): Promise<void> {
    try {
      await this.#inFolder((folder) => unlinkIfThere(join(folder.path, basename(partialPath))))
    } catch (error) {
      // The folder is gone, and everything in it.
      if (systemCode(error) !== 'ENOENT') throw this.failureOf(error, partialPath)
    }
  }

  async giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean> {
    const [partialName, finalName] = [basename(partialPath), basename(finalPath)]
    return this.#attempt(finalPath, () =>
      this.#inFolder(async (folder) => {
        const [partial, final] = [join(folder.path, partialName), join(folder.path, finalName)]
        const isGiven =
          (wasAttempted && (await this.#hasName(partial, final))) ||
          (await this.#nameOwn(partial, final, partialName))
        if (isGiven) await folder.sync()
        return isGiven
      }),
    )
  }

  /** An earlier run may have ended after it gave the name, before or after it took the partial name away. */
  async #hasName(partialPath: string, finalPath: string): Promise<boolean> {
    const [partial, final] = await Promise.all([fileAt(partialPath), fileAt(finalPath)])
    if (final === undefined) return false
    if (partial === final && final !== noFile) await unlink(partialPath)
    return final !== noFile && (partial === undefined || partial === final)
  }

  /** Gives the name to the file that was written: somebody who may write in the folder can have put another one in its place. */
  async #nameOwn(partialPath: string, finalPath: string, partialName: string): Promise<boolean> {
    const identity = await fileAt(partialPath)
    const isOwn =
      identity !== undefined &&
      identity === (this.#created.get(partialName) ?? identity) &&
      identity !== noFile
    if (!isOwn) throw replaced(this.pathOf(partialName))
    if (!(await this.#tryName(partialPath, finalPath))) return false
    if ((await fileAt(finalPath)) !== identity) throw replaced(this.pathOf(basename(finalPath)))
    return true
  }

  /** A second name and then no first one: the way to rename that never replaces a file. */
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

  /** Without hard links: Linux renames without replacing where the file system can. */
  async #tryRename(partialPath: string, finalPath: string): Promise<boolean> {
    const refusal = (await linuxFileCalls())?.renameWithoutReplacing(partialPath, finalPath)
    if (refusal === 'done') return true
    if (refusal?.errno === nameIsTaken) return false
    return this.#tryReplace(partialPath, finalPath)
  }

  /**
   * Where it cannot: takes the name with an empty file, which fails when there is one, and replaces that. A
   * crash between the two leaves the empty file behind; the disk then gets the next name.
   */
  async #tryReplace(partialPath: string, finalPath: string): Promise<boolean> {
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

  async #inFolder<Result>(action: (folder: OpenFolder) => Promise<Result>, makes = false): Promise<Result> {
    const folder = await this.#open(makes)
    try {
      return await action(folder)
    } finally {
      await folder.close()
    }
  }

  async #open(makes: boolean): Promise<OpenFolder> {
    const allowed = this.#allowed
    const limits = allowed && { roots: allowed.folders, isForbidden: isOfSystem }
    try {
      return await openFolder(this.folder, { limits, makes })
    } catch (error) {
      if (allowed !== undefined && error instanceof OutsideOfLimits) throw allowed.refusal(this.folder)
      throw error
    }
  }

  async #attempt<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (error) {
      throw this.failureOf(error, path)
    }
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** Which file has a name, {@link noFile} for a link or a folder; undefined when there is no such name. */
async function fileAt(path: string): Promise<string | undefined> {
  try {
    const entry = await lstat(path, { bigint: true })
    return entry.isFile() ? identityOf(entry) : noFile
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`
}

function replaced(path: string): TaskFailure {
  return new TaskFailure(
    taskFailures.verificationFailed,
    `${path} is not the disk that was written: somebody else changes files in its folder`,
  )
}
