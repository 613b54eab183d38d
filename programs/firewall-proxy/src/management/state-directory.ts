import { randomUUID } from 'node:crypto'
import { appendFile, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readPrivateFile, systemCode } from '@palisade/private-files'
import {
  differenceBetween,
  type ProxySnapshot,
  readSnapshot,
  SnapshotUnreadable,
} from '@palisade/proxy-protocol'
import { folderFailureOf, makePrivateFolder } from '@palisade/start-up'
import type { ProxyConfiguration } from '../configuration.ts'

/** Where the checked copies are of what was brought or downloaded about addresses. */
export function addressFolderOf({ stateDirectory }: Pick<ProxyConfiguration, 'stateDirectory'>): string {
  return join(stateDirectory, 'address-data')
}

/** Where the lists of revoked certificates are that were downloaded. */
export function revocationFolderOf({ stateDirectory }: Pick<ProxyConfiguration, 'stateDirectory'>): string {
  return join(stateDirectory, 'revocation-lists')
}

/**
 * What outlives the process: the last good snapshot and the name of this proxy. Readable by its owner alone.
 *
 * `snapshot.json` is a whole snapshot, and each line of `snapshot-changes.jsonl` a difference to the one before, so that a change of one service
 * among thousands costs no more than that. When the lines have grown larger than the whole, the whole is written anew.
 */
export class StateDirectory {
  readonly #folder: string
  /** What is on the disk; undefined where that was not written by this process. */
  #written:
    | { readonly snapshot: ProxySnapshot; readonly wholeChars: number; readonly changesChars: number }
    | undefined
  /** By which the management knows this proxy. */
  readonly proxy: string

  private constructor(folder: string, proxy: string) {
    this.#folder = folder
    this.proxy = proxy
  }

  /**
   * Makes the folder where there is none.
   *
   * @throws FolderFailure when it cannot be made or written to, or others may write in it, OpenToOthers when they may read what is in it
   */
  static async open(folder: string): Promise<StateDirectory> {
    makePrivateFolder(folder, 'stateDirectory')
    const place = join(folder, 'proxy-id')
    const content = contentOf(place)
    const proxy = content ?? randomUUID()
    try {
      if (content === undefined) await write(place, proxy)
    } catch (error) {
      throw folderFailureOf(error, { folder, named: 'stateDirectory', place })
    }
    return new StateDirectory(folder, proxy)
  }

  /** The snapshot that was obeyed last; undefined when none was. @throws SnapshotUnreadable */
  snapshot(): ProxySnapshot | undefined {
    const text = contentOf(this.#wholeFile)
    if (text === undefined) return undefined
    return withChanges(readSnapshot(text), contentOf(this.#changesFile)?.split('\n') ?? [])
  }

  /** Not to be called again before it has ended. Traffic goes on while the disk is waited for. */
  async keep(snapshot: ProxySnapshot): Promise<void> {
    const lastWritten = this.#written
    this.#written = undefined
    // Numbers go back where a management was put back, and lines of smaller numbers are taken for older ones.
    if (lastWritten && snapshot.version >= lastWritten.snapshot.version) {
      const change = `${JSON.stringify(differenceBetween(lastWritten.snapshot, snapshot))}\n`
      const changesChars = lastWritten.changesChars + change.length
      if (changesChars < lastWritten.wholeChars) {
        await appendFile(this.#changesFile, change, { mode: 0o600, flush: true })
        this.#written = { ...lastWritten, snapshot, changesChars }
        return
      }
    }
    const whole = JSON.stringify(snapshot)
    await write(this.#wholeFile, whole)
    await rm(this.#changesFile, { force: true })
    this.#written = { snapshot, wholeChars: whole.length, changesChars: 0 }
  }

  get #wholeFile(): string {
    return join(this.#folder, 'snapshot.json')
  }

  get #changesFile(): string {
    return join(this.#folder, 'snapshot-changes.jsonl')
  }
}

/**
 * The snapshot after the changes that were written since. Lines that change another one were left behind by a stop between writing the whole
 * and removing them: they lead to the whole. A last line that the stop has cut is the end of what is known.
 */
function withChanges(whole: ProxySnapshot, lines: readonly string[]): ProxySnapshot {
  let snapshot = whole
  for (const line of lines) {
    try {
      const next = readSnapshot(line, snapshot)
      if (next.version >= snapshot.version) snapshot = next
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error
    }
  }
  return snapshot
}

function contentOf(file: string): string | undefined {
  try {
    return readPrivateFile(file, 'owner').toString()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all, whenever the machine stops. */
async function write(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}
