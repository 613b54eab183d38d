import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { readPrivateFile, systemCode } from '@palisade/private-files'
import { type ProxySnapshot, readSnapshot } from '@palisade/proxy-protocol'
import { folderFailureOf, makePrivateFolder } from '@palisade/start-up'

/** What outlives the process: the last good snapshot and the name of this proxy. Readable by its owner alone. */
export class StateDirectory {
  readonly #folder: string
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
    const known = contentOf(place)
    const proxy = known ?? randomUUID()
    try {
      if (known === undefined) await write(place, proxy)
    } catch (error) {
      throw folderFailureOf(error, { folder, named: 'stateDirectory', place })
    }
    return new StateDirectory(folder, proxy)
  }

  /** The snapshot that was obeyed last; undefined when none was. @throws SnapshotUnreadable */
  snapshot(): ProxySnapshot | undefined {
    const text = contentOf(join(this.#folder, 'snapshot.json'))
    return text === undefined ? undefined : readSnapshot(text)
  }

  /** Not to be called again before it has ended. Traffic goes on while the disk is waited for. */
  keep(snapshot: ProxySnapshot): Promise<void> {
    return write(join(this.#folder, 'snapshot.json'), JSON.stringify(snapshot))
  }
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
