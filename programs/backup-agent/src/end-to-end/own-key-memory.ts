import { readFile } from 'node:fs/promises'
import { systemCode } from '@palisade/private-files'
import { isRecord } from '../json.ts'
import { writeDurably } from '../state/write-durably.ts'

/**
 * Remembers with which key of its own a computer has sealed backups, by the key's check value: so that an agent that is
 * started without the key, or with another one, does not go on as if nothing were.
 */
export class OwnKeyMemory {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** The check value of the key; undefined when no backup of the computer was sealed with one. */
  async read(domain: string): Promise<string | undefined> {
    const stored = await this.#read()
    return isRecord(stored) && stored.domain === domain && typeof stored.keyCheck === 'string'
      ? stored.keyCheck
      : undefined
  }

  /** Durable when it resolves. */
  async keep(domain: string, keyCheck: string): Promise<void> {
    if ((await this.read(domain)) === keyCheck) return
    await writeDurably(this.path, `${JSON.stringify({ domain, keyCheck })}\n`)
  }

  /** A file that holds something else is for the operator to look at: it must not count as nothing. */
  async #read(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8'))
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw new Error(`${this.path} cannot be read`, { cause: error })
    }
  }
}
