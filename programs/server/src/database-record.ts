import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LazyValidator, placeOf, type Store } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { Type } from 'typebox'
import { hasInstallation } from './installation.ts'

const recordSchema = new LazyValidator(Type.Object({ place: Type.String() }))

/**
 * `database-place.json` in the data directory: the PostgreSQL in which this server had its tables last. Without it, a server whose configuration
 * names an empty database would begin a new installation, and give its proxies a configuration without services.
 */
export class DatabaseRecord {
  readonly #file: string
  readonly #database: string

  /** @param database what the configuration says: "embedded", or a URL */
  constructor(dataDirectory: string, database: string) {
    this.#file = join(dataDirectory, 'database-place.json')
    this.#database = database
  }

  /** @throws Error when there is nothing in the database, and this server had its tables in a PostgreSQL */
  async requireSameDatabase(store: Store): Promise<void> {
    const former = this.#read()
    if (former === undefined || (await hasInstallation(store))) return
    throw new Error(
      `database: ${placeOf(this.#database)} has no tables of Palisade, and this server had them in ${former} when it was started last. Nothing new is made in its place: name that database, or restore its dump into this one. To begin with an empty one, delete ${this.#file}`,
    )
  }

  /** Remembers the PostgreSQL; the file of SQLite lies beside the record, and needs none. */
  write(): void {
    if (this.#database === 'embedded') return
    const place = placeOf(this.#database)
    if (this.#read() === place) return
    writeFileSync(`${this.#file}.new`, JSON.stringify({ place }), { mode: 0o600, flush: true })
    renameSync(`${this.#file}.new`, this.#file)
  }

  #read(): string | undefined {
    try {
      const record: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      if (recordSchema.Check(record)) return record.place
      throw new Error(`${this.#file} is no record of a database: delete it`)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }
}
