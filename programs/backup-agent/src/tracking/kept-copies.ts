/**
 * The copies of images that are kept, each with a record, the ids of its revision, what was in use and which chunks are patched:
 *
 *     kept/<volume>.json                what is known of the copy (KeptRecord); names the others
 *     kept/<volume>-<random>.ids        the ids of all chunks of the revision
 *     kept/<volume>-<random>.in-use     what its file system had in use
 *     kept/<volume>-<random>.patches    the patched chunks of the revision, where there are any (PatchedChunks)
 *     kept/refused.json                 why copies are not kept any more; removed by hand
 *     <folder of the image>/.palisade-agent/copy-<volume>-<random>      the copy
 *
 * A record is replaced as a whole when everything that it names is durable, and what the one before named is removed after that. What a
 * killed agent left in between belongs to no record and is removed by the next one.
 */

import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '@palisade/log'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'
import { isRecord } from '../json.ts'
import { syncDirectory, writeDurably } from '../state/write-durably.ts'
import { filesOf, type KeptRecord, parseKeptRecord, recordNameOf } from './kept-record.ts'
import { removeIfEmpty } from './private-folder.ts'

const recordPattern = /^[0-9a-f]{16}\.json$/
const refusalName = 'refused.json'

/** The kept copies and their records on the disk. */
export class KeptCopies {
  readonly directory: string
  readonly #log: Log

  constructor(directory: string, log: Log) {
    this.directory = directory
    this.#log = log
  }

  async find(deviceId: string): Promise<KeptRecord | undefined> {
    return (await this.all()).find(({ binding }) => binding.deviceId === deviceId)
  }

  async all(): Promise<readonly KeptRecord[]> {
    const names = (await readdir(this.directory)).filter((name) => recordPattern.test(name))
    const texts = await Promise.all(names.map((name) => readFile(join(this.directory, name), 'utf8')))
    return texts.map(parseKeptRecord).filter((record) => record !== undefined)
  }

  /** Durable when it resolves. The files that it names have to be. */
  async write(record: KeptRecord): Promise<void> {
    await syncDirectory(this.directory)
    await writeDurably(this.#recordPath(record), `${JSON.stringify(record)}\n`)
  }

  /** Removes the files of a record beside its copy: it is no longer the one that counts. */
  async removeFiles(record: KeptRecord): Promise<void> {
    for (const { name } of filesOf(record)) await rm(join(this.directory, name), { force: true })
  }

  /**
   * Removes a copy and what is known of it. Never rejects: what cannot be removed now, as when its file system is not mounted, is tried
   * again when the agent starts again.
   */
  async drop(record: KeptRecord, why: string): Promise<void> {
    const { path } = record.copy
    try {
      await this.removeFiles(record)
      if (!(await isThere(dirname(path)))) {
        this.#log.warn({ path }, `a kept copy is not there to be removed: ${why}`)
        return
      }
      await rm(path, { force: true })
      await removeIfEmpty(dirname(path))
      await rm(this.#recordPath(record), { force: true })
      this.#log.info({ path }, `a kept copy was removed: ${why}`)
    } catch (error) {
      this.#log.error({ path }, `a kept copy cannot be removed now: ${describe(error)}`)
    }
  }

  /** Removes the files that belong to no record: what a killed agent left, or a backup that could not keep its copy. Never rejects. */
  async removeStrays(): Promise<void> {
    try {
      await this.#removeStrays()
    } catch (error) {
      this.#log.error(`leftovers of kept copies cannot be removed now: ${describe(error)}`)
    }
  }

  async #removeStrays(): Promise<void> {
    const records = await this.all()
    const usedNames = new Set(
      records.flatMap((record) => [
        `${recordNameOf(record.binding.deviceId)}.json`,
        ...filesOf(record).map(({ name }) => name),
      ]),
    )
    for (const name of await readdir(this.directory)) {
      if (name !== refusalName && !usedNames.has(name)) await rm(join(this.directory, name), { force: true })
    }
  }

  /**
   * Removes the copies in a folder that no record names, as when the state directory was lost.
   *
   * @param prefix what their names begin with
   * @param path of one that is not to be removed
   */
  async removeStrayCopies(folder: string, prefix: string, path: string): Promise<void> {
    const usedPaths = new Set([path, ...(await this.all()).map(({ copy }) => copy.path)])
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (name.startsWith(prefix) && !usedPaths.has(path)) await rm(path, { force: true })
    }
  }

  /** Why copies are not kept any more; undefined when they are. */
  async refusal(): Promise<string | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(this.refusalPath, 'utf8'))
      return isRecord(value) && typeof value.why === 'string' ? value.why : 'for a reason that cannot be read'
    } catch (error) {
      if (error instanceof SyntaxError) return 'for a reason that cannot be read'
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  get refusalPath(): string {
    return join(this.directory, refusalName)
  }

  /** From now on, until somebody removes the file, no copies are kept. */
  async refuse(why: string): Promise<void> {
    await writeDurably(this.refusalPath, `${JSON.stringify({ why, at: new Date().toISOString() })}\n`)
    for (const record of await this.all()) await this.drop(record, 'changes are not tracked any more')
  }

  #recordPath({ binding }: KeptRecord): string {
    return join(this.directory, `${recordNameOf(binding.deviceId)}.json`)
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}
