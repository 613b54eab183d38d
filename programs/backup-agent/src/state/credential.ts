import { isDeepStrictEqual } from 'node:util'
import { readPrivateFile, systemCode } from '@palisade/private-files'
import { isRecord } from '../json.ts'
import { writeDurably } from './write-durably.ts'

/** Who an agent is for: a credential is good for one computer of one server. */
export interface Membership {
  /** What the server is called in all that is kept: the first address that it was known by. */
  readonly serverUrl: string
  readonly account: string
  readonly computer: string
}

/** Who an agent is to be for. Each of the addresses leads to the same server. */
export interface WantedMembership extends Omit<Membership, 'serverUrl'> {
  readonly serverUrls: readonly [string, ...string[]]
}

/** What a credential file holds. One of before there were several addresses has `serverUrl` alone. */
interface StoredCredential extends Membership {
  readonly serverUrls: readonly string[]
  readonly credential: string
}

/** The file that keeps the agent's credential between runs, readable by the owner alone. */
export class CredentialFile {
  readonly membership: Membership
  readonly #path: string
  readonly #serverUrls: readonly string[]
  #credential: string | undefined

  private constructor(path: string, { serverUrls, account, computer }: WantedMembership, serverUrl: string) {
    this.membership = { serverUrl, account, computer }
    this.#path = path
    this.#serverUrls = serverUrls
  }

  /**
   * Opens the file for one computer. What it holds is for that when it names the computer and one of the addresses; it names those
   * that are wanted from then on, so that in time all of them may be replaced.
   *
   * @throws OpenToOthers
   */
  static async open(path: string, wanted: WantedMembership): Promise<CredentialFile> {
    const stored = readStored(path)
    if (stored === undefined || !isFor(wanted, stored)) {
      return new CredentialFile(path, wanted, wanted.serverUrls[0])
    }
    const file = new CredentialFile(path, wanted, stored.serverUrl)
    file.#credential = stored.credential
    if (!isDeepStrictEqual(stored.serverUrls, wanted.serverUrls)) await file.keep(stored.credential)
    return file
  }

  /** Undefined when there is none, or one for another computer or server. */
  get credential(): string | undefined {
    return this.#credential
  }

  async keep(credential: string): Promise<void> {
    this.#credential = credential
    const stored: StoredCredential = { ...this.membership, serverUrls: this.#serverUrls, credential }
    await writeDurably(this.#path, `${JSON.stringify(stored)}\n`)
  }
}

function isFor(wanted: WantedMembership, stored: StoredCredential): boolean {
  return (
    stored.account === wanted.account &&
    stored.computer === wanted.computer &&
    stored.serverUrls.some((url) => wanted.serverUrls.includes(url))
  )
}

function readStored(path: string): StoredCredential | undefined {
  const json = readJson(path)
  if (!isRecord(json)) return undefined
  const stored = { ...json, serverUrls: json.serverUrls ?? [json.serverUrl] }
  return isStored(stored) ? stored : undefined
}

function isStored(value: Readonly<Record<string, unknown>>): value is typeof value & StoredCredential {
  const { serverUrl, serverUrls, account, computer, credential } = value
  const areTexts = [serverUrl, account, computer, credential].every((member) => typeof member === 'string')
  return areTexts && Array.isArray(serverUrls)
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
