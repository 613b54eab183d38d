import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProxySnapshot } from '@palisade/proxy-protocol'
import { codeOf } from '../failure.ts'

/** What outlives the process: the last good snapshot and the name of this proxy. Readable by its owner alone. */
export class StateDirectory {
  readonly #folder: string
  /** By which the management knows this proxy. */
  readonly proxy: string

  /** Makes the folder where there is none. */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const known = this.#read('proxy-id')
    this.proxy = known ?? randomUUID()
    if (known === undefined) this.#write('proxy-id', this.proxy)
  }

  /** The snapshot that was obeyed last; undefined when none was. */
  snapshot(): ProxySnapshot | undefined {
    const text = this.#read('snapshot.json')
    return text === undefined ? undefined : (JSON.parse(text) as ProxySnapshot)
  }

  keep(snapshot: ProxySnapshot): void {
    this.#write('snapshot.json', JSON.stringify(snapshot))
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(join(this.#folder, name), 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /** Whole or not at all, whenever the machine stops. */
  #write(name: string, text: string): void {
    const file = join(this.#folder, name)
    const descriptor = openSync(`${file}.new`, 'w', 0o600)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(`${file}.new`, file)
  }
}
