import { readPrivateFile, systemCode } from '@palisade/private-files'
import { isRecord } from '../json.ts'
import { writeDurably } from './write-durably.ts'

/** Who an agent is for: a credential is good for one computer of one server. */
export interface Membership {
  readonly serverUrl: string
  readonly account: string
  readonly computer: string
}

/** The file that keeps the agent's credential between runs, readable by the owner alone. */
export class CredentialFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** The credential that was kept for this membership; undefined when there is none, or one for another. @throws OpenToOthers */
  async read(membership: Membership): Promise<string | undefined> {
    const stored = readJson(this.#path)
    if (!isRecord(stored) || typeof stored.credential !== 'string') return undefined
    const isSame =
      stored.serverUrl === membership.serverUrl &&
      stored.account === membership.account &&
      stored.computer === membership.computer
    return isSame ? stored.credential : undefined
  }

  async keep(membership: Membership, credential: string): Promise<void> {
    await writeDurably(this.#path, `${JSON.stringify({ ...membership, credential })}\n`)
  }
}

/** A file that is missing or holds no JSON counts as nothing kept: enrolling anew mends both. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readPrivateFile(path, 'owner').toString())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
