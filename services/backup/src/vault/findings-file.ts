import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LazyValidator } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { Type } from 'typebox'
import { parseStored } from '../stored-json.ts'
import { syncFolderOf } from './sync-folder.ts'

const findings = new LazyValidator(Type.Object({ computers: Type.Array(Type.String()) }))

/**
 * `vault-findings.json` in the data directory: of which computers `palisade vault check` or `repair` has found something damaged
 * while the server was stopped. The next start reads it, marks the revisions that suffer, and forgets each computer when that is done.
 */
export class FindingsFile {
  readonly #path: string

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'vault-findings.json')
  }

  /** Adds computers, by their domains in the vault. */
  async add(computers: readonly string[]): Promise<void> {
    if (computers.length === 0) return
    await this.#write([...new Set([...(await this.read()), ...computers])])
  }

  /** Forgets one computer, by its domain; the file goes with the last one. */
  async forget(computer: string): Promise<void> {
    const others = (await this.read()).filter((other) => other !== computer)
    if (others.length > 0) await this.#write(others)
    else await rm(this.#path, { force: true })
  }

  async #write(all: readonly string[]): Promise<void> {
    await writeFile(`${this.#path}.new`, JSON.stringify({ computers: all }), { mode: 0o600, flush: true })
    await rename(`${this.#path}.new`, this.#path)
    await syncFolderOf(this.#path)
  }

  /** The computers, by their domains in the vault; none when there is no file. */
  async read(): Promise<readonly string[]> {
    try {
      return parseStored(findings, await readFile(this.#path, 'utf8')).computers
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    }
  }
}
