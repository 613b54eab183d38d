import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LazyValidator } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { Type } from 'typebox'
import { parseStored } from '../stored-json.ts'
import { syncFolderOf } from './sync-folder.ts'

const form = new LazyValidator(Type.Object({ place: Type.String(), id: Type.String() }))

/**
 * `vault-place.json` in the data directory: in which bucket or folder this server had its vault last. A bucket that says for a while that it
 * has nothing is not to be given a new vault then, whose keys would take the place of those that open every backup; nor is the folder
 * beneath a file system that was not mounted at the start, whose backups would be gone with the next one.
 */
export class VaultRecord {
  readonly path: string

  constructor(dataDirectory: string) {
    this.path = join(dataDirectory, 'vault-place.json')
  }

  /** The id of the vault that was in this place; undefined when there was none, or another place was used since. */
  async idAt(place: string): Promise<string | undefined> {
    try {
      const last = parseStored(form, await readFile(this.path, 'utf8'))
      return last.place === place ? last.id : undefined
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async write(place: string, id: string): Promise<void> {
    if ((await this.idAt(place)) === id) return
    await writeFile(`${this.path}.new`, JSON.stringify({ place, id }), { mode: 0o600, flush: true })
    await rename(`${this.path}.new`, this.path)
    await syncFolderOf(this.path)
  }
}
