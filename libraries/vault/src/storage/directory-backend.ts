/**
 * Objects as files below one directory.
 *
 *     <root>/<object name>     complete objects
 *     <root>/.unfinished/…     objects being written, under random names; emptied when the vault is opened
 *     <root>/.lock             see directory-lock.ts
 *     <root>/.leases/<id>      the same between machines that share the directory, see lease/lease.ts
 *
 * An object is written to `.unfinished`, flushed, renamed to its name, and the directory is flushed. Object names
 * have no segment that begins with a dot, so they cannot meet the others.
 */

import { randomUUID } from 'node:crypto'
import { link, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { StagedFile } from '../direct-io/staged-file.ts'
import { StagingMemory } from '../direct-io/staging-memory.ts'
import { ObjectMissing, VaultFailure } from '../failure.ts'
import { adviceOnFileSystem } from './advice-on-file-system.ts'
import type { ObjectWriter, StorageBackend, StorageLock } from './backend.ts'
import { leasesInDirectory } from './directory-leases.ts'
import { lockDirectory } from './directory-lock.ts'
import { isOnNetwork } from './file-system-type.ts'
import { FileWriter } from './file-writer.ts'
import { fillFromFile, isBadPlace } from './fill-from-file.ts'
import { Lease } from './lease/lease.ts'
import { thisHolder } from './lease/lease-record.ts'
import { makeFolders } from './make-folders.ts'
import { assertObjectName, assertPrefix } from './object-name.ts'
import { ReliedObjects } from './relied-objects.ts'
import { syncDirectory } from './sync-directory.ts'

const unfinished = '.unfinished'
const leases = '.leases'
const leaseDefaultMs = 120_000
/** Eight packs at a time, 32 MiB: what more there are go through the system's cache. */
const stagingBuffersMax = 16

/** How a directory is locked. */
export interface DirectoryOptions {
  /**
   * Whether other machines may use the directory too, whose file locks need not reach this one. By default on Linux when it
   * is on a network file system; elsewhere not.
   */
  readonly shared?: boolean
  /** How long a shared directory stays locked after its machine has died, in milliseconds; two minutes by default. */
  readonly leaseMs?: number
  /** Whether a process that finds a shared directory locked has its holder see that, for a quarter of `leaseMs`. */
  readonly asksHolder?: boolean
}

/** A backend that keeps its objects in `root`, which is created when it is missing, for its owner only. */
export class DirectoryBackend implements StorageBackend {
  readonly #root: string
  readonly #options: DirectoryOptions
  readonly #folders = new Map<string, Promise<void>>()
  readonly #memory = new StagingMemory(stagingBuffersMax)
  #lease: Lease | undefined
  readonly #relied: ReliedObjects

  constructor(root: string, options: DirectoryOptions = {}) {
    this.#root = resolve(root)
    this.#options = options
    this.#relied = new ReliedObjects({
      exists: (name) => this.#exists(name),
      cause: 'the folder was emptied, replaced or unmounted',
      description: this.#root,
    })
  }

  get description(): string {
    return this.#root
  }

  async lock(): Promise<StorageLock> {
    await this.#attempt('creating', '', () => makeFolders(this.#root))
    const held = await lockDirectory(this.#root)
    const release = () => {
      this.#relied.set([])
      return held.release()
    }
    const lock = { release }
    try {
      const shared = this.#options.shared ?? (await isOnNetwork(this.#root))
      return shared ? await this.#lockBetweenMachines(lock) : lock
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Takes the lease; it goes before the lock that only this machine is sure to see. */
  async #lockBetweenMachines(lock: StorageLock): Promise<StorageLock> {
    const lease = await Lease.take({
      storage: leasesInDirectory(join(this.#root, leases)),
      description: this.#root,
      holder: await thisHolder(),
      leaseMs: this.#options.leaseMs ?? leaseDefaultMs,
      asksHolder: this.#options.asksHolder ?? false,
    })
    this.#lease = lease
    return {
      get isHeld() {
        return lease.isHeld
      },
      get isAsked() {
        return lease.isAsked
      },
      release: async () => {
        if (this.#lease === lease) this.#lease = undefined
        await lease.release().finally(() => lock.release())
      },
    }
  }

  relyOn(names: readonly string[]): void {
    this.#relied.set(names)
  }

  async removeUnfinished(): Promise<void> {
    await this.#attempt('emptying', unfinished, () =>
      // Another process may be writing a pack there, which fails then: see vault/pack-contributor.ts.
      rm(join(this.#root, unfinished), { recursive: true, force: true, maxRetries: 5 }),
    )
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await writeWhole(await this.create(name), content)
  }

  async putNew(name: string, content: Uint8Array): Promise<boolean> {
    let stored = true
    const moveNew = async (temporary: string, target: string) => {
      stored = await nameUnlessTaken(temporary, target)
    }
    if ((await this.sizeBytes(name)) !== undefined) return false
    await writeWhole(await this.#begin(name, moveNew), content)
    return stored
  }

  create(name: string): Promise<ObjectWriter> {
    return this.#begin(name, rename)
  }

  async #begin(name: string, move: (from: string, to: string) => Promise<void>): Promise<ObjectWriter> {
    assertObjectName(name)
    await this.#lease?.ensureHeld()
    await this.#relied.ensureThere()
    const temporary = join(this.#root, unfinished, randomUUID())
    const target = join(this.#root, name)
    const file = await this.#attempt('creating', name, async () => {
      await makeFolders(join(this.#root, unfinished))
      return StagedFile.create(temporary, this.#memory)
    })
    const step = <Result>(doing: string, work: () => Promise<Result>) => this.#attempt(doing, name, work)
    const moveIntoPlace = async () => {
      await this.#relied.ensureThere()
      await this.#ensureFolder(dirname(target))
      await this.#lease?.ensureHeld()
      await move(temporary, target)
      await syncDirectory(dirname(target))
    }
    return new FileWriter(file, { step, moveIntoPlace, remove: () => rm(temporary, { force: true }) })
  }

  async sizeBytes(name: string): Promise<number | undefined> {
    assertObjectName(name)
    return this.#attempt('reading', name, async () => {
      const status = await stat(join(this.#root, name)).catch(undefinedWhenAbsent)
      if (status === undefined) await this.#relied.ensureThere()
      return status?.isFile() ? status.size : undefined
    })
  }

  async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    assertObjectName(name)
    const fill = () => fillFromFile(join(this.#root, name), offsetBytes, into).catch(undefinedWhenAbsent)
    const complete = await this.#attempt('reading', name, async () => {
      try {
        return await fill()
      } catch (error) {
        if (!isBadPlace(error)) throw error
      }
      await this.#assertWorking()
      return fill().catch((cause: unknown) => {
        if (!isBadPlace(cause)) throw cause
        const message = `${name} in ${this.#root} cannot be read at byte ${offsetBytes}`
        throw new VaultFailure('damaged', message, { cause })
      })
    })
    if (complete === undefined) {
      await this.#relied.ensureThere()
      throw new ObjectMissing(name, this.#root)
    }
    if (!complete) throw new VaultFailure('damaged', `${name} in ${this.#root} is too short`)
  }

  async list(prefix: string): Promise<string[]> {
    assertPrefix(prefix)
    const names: string[] = []
    const visit = async (folder: string): Promise<void> => {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
        undefinedWhenAbsent,
      )
      for (const entry of entries ?? []) {
        const name = folder + entry.name
        if (entry.isDirectory() && name !== unfinished) await visit(`${name}/`)
        else if (entry.isFile() && !name.startsWith('.')) names.push(name)
      }
    }
    await this.#attempt('listing', prefix, () => visit(prefix))
    await this.#relied.ensureThere()
    return names
  }

  async delete(name: string): Promise<void> {
    assertObjectName(name)
    await this.#lease?.ensureHeld()
    await this.#relied.ensureThere()
    await this.#attempt('deleting', name, async () => {
      const path = join(this.#root, name)
      const removed = await unlink(path).then(() => true, undefinedWhenAbsent)
      if (removed) await syncDirectory(dirname(path))
    })
  }

  async #exists(name: string): Promise<boolean> {
    const path = join(this.#root, name)
    return (await this.#attempt('reading', name, () => stat(path).catch(undefinedWhenAbsent))) !== undefined
  }

  /** Has something written that needs no space. Rejects when the disk, or the way to it, has failed altogether. */
  async #assertWorking(): Promise<void> {
    const folder = join(this.#root, unfinished)
    await makeFolders(folder)
    const now = new Date()
    await utimes(folder, now, now)
    await syncDirectory(folder)
  }

  /** Creates a folder and makes its name survive a power cut, once; whoever asks meanwhile waits for the same work. */
  #ensureFolder(path: string): Promise<void> {
    const creation = this.#folders.get(path)
    if (creation) return creation
    const newCreation = this.#createFolder(path)
    this.#folders.set(path, newCreation)
    newCreation.catch(() => this.#folders.delete(path))
    return newCreation
  }

  async #createFolder(path: string): Promise<void> {
    if (path === this.#root) return
    await this.#ensureFolder(dirname(path))
    await makeFolders(path)
    await syncDirectory(dirname(path))
  }

  async #attempt<Result>(doing: string, name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof VaultFailure) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      const advice = adviceOnFileSystem(cause)
      throw new VaultFailure('storage', `${doing} ${name} in ${this.#root}: ${reason}`, { cause, advice })
    }
  }
}

async function writeWhole(writer: ObjectWriter, content: Uint8Array): Promise<void> {
  try {
    await writer.write([content])
    await writer.commit()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** Gives a file its name unless there is one of that name, which `rename` would replace. */
async function nameUnlessTaken(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'EEXIST') {
      // Some file systems have no links; the lock, and the look before, must do there.
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK') throw error
      await rename(temporary, target)
      return true
    }
    await unlink(temporary)
    return false
  }
  await unlink(temporary)
  return true
}

function undefinedWhenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
