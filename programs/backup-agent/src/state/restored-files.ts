import { lstat, readFile, realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { isRecord, parseAs } from '../json.ts'
import { writeDurably } from './write-durably.ts'

/** The oldest are forgotten first; who wants to compare those names them by --include. */
const filesMax = 1000

interface RestoredFile {
  readonly path: string
  /** What tells the file from another one that is put in its place. */
  readonly identity: string
}

/** Which disks this agent has restored to folders of its computer: they may be compared with revisions. */
export class RestoredFiles {
  readonly #path: string
  #last: Promise<void> = Promise.resolve()

  /** @param path of the small file that remembers them */
  constructor(path: string) {
    this.#path = path
  }

  /** Remembers files; those on shares, and those that are gone already, are left out. Durable when it resolves. */
  add(paths: readonly string[]): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#add(paths))
    return this.#last
  }

  /** Whether one of them had this path, without links. */
  async isNamed(path: string): Promise<boolean> {
    return (await this.#read()).some((file) => file.path === path)
  }

  /** Whether a file, by its path without links, is one of them. */
  async has(path: string, stats: FileFacts): Promise<boolean> {
    const identity = identityOf(stats)
    return (await this.#read()).some((file) => file.path === path && file.identity === identity)
  }

  async #add(paths: readonly string[]): Promise<void> {
    const added: RestoredFile[] = []
    for (const path of paths.filter(isLocal)) {
      const real = await realpath(path).catch(() => undefined)
      const stats =
        real === undefined ? undefined : await lstat(path, { bigint: true }).catch(() => undefined)
      if (real !== undefined && stats?.isFile() === true)
        added.push({ path: real, identity: identityOf(stats) })
    }
    if (added.length === 0) return
    const files = [...(await this.#read()), ...added].slice(-filesMax)
    await writeDurably(this.#path, `${JSON.stringify(files)}\n`)
  }

  async #read(): Promise<readonly RestoredFile[]> {
    try {
      return parseAs(await readFile(this.#path, 'utf8'), isList) ?? []
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    }
  }
}

/** What the system says about a file. */
export interface FileFacts {
  readonly ino: bigint
  readonly birthtimeNs: bigint
}

/** Numbers of devices may be others after the next start of the computer. */
function identityOf({ ino, birthtimeNs }: FileFacts): string {
  return `${ino}:${birthtimeNs}`
}

function isLocal(path: string): boolean {
  return isAbsolute(path) && !path.startsWith('\\\\') && !path.startsWith('//')
}

function isList(value: unknown): value is RestoredFile[] {
  return (
    Array.isArray(value) &&
    value.every(
      (file) => isRecord(file) && typeof file.path === 'string' && typeof file.identity === 'string',
    )
  )
}
