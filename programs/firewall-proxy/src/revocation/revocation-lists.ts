import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnapshotClientCertificates, SnapshotRevocationList } from '@palisade/proxy-protocol'
import { CertificateList } from './certificate-list.ts'

/** How it stands with a list that is downloaded. */
export interface RevocationListState {
  /** When it was downloaded, or found unchanged, in milliseconds since 1970; absent where it never was. */
  readonly downloadedAt?: number
  /** The subject of the authority that has signed it. */
  readonly issuer?: string
  /** Why it could not be downloaded the last time: a sentence; empty where it could. */
  readonly problem: string
}

/** A list that was downloaded and checked. */
export interface LoadedRevocationList {
  readonly name: string
  readonly list: CertificateList
  /** See {@link RevocationListState}. */
  readonly issuer: string
}

/** Names of files in the folder. */
export interface RevocationListFiles {
  readonly list: string
  readonly state: string
}

/** The files of a list: of another URL there are others. */
export function revocationListFiles(
  service: string,
  { name, url }: Pick<SnapshotRevocationList, 'name' | 'url'>,
): RevocationListFiles {
  const digest = createHash('sha256')
    .update(JSON.stringify([service, name, url]))
    .digest('hex')
  return { list: `${digest}.crl`, state: `${digest}.json` }
}

/** What the folder holds of a list. */
interface Held {
  readonly state: RevocationListState
  readonly text: Buffer | undefined
  readonly list: CertificateList | undefined
}

/** The lists of revoked certificates that are in a folder, each read when a service asks for it first. */
export class RevocationLists {
  readonly #folder: string | undefined
  /** By the names of the files with the lists. */
  #held = new Map<string, Held>()
  #heldBefore: ReadonlyMap<string, Held> = new Map()

  /** @param folder where those are that were downloaded; undefined where nothing is */
  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** The folder may hold something else than before. What did not change stays the same object. */
  load(): void {
    this.#heldBefore = this.#held
    this.#held = new Map()
  }

  /** Those of the lists that are there; undefined where a service has none to obey. */
  of(service: string, clients: SnapshotClientCertificates | undefined): LoadedRevocationList[] | undefined {
    return clients?.revocationLists?.flatMap((source) => {
      const { list, state } = this.#heldOf(service, source)
      return list === undefined || state.issuer === undefined
        ? []
        : [{ name: source.name, list, issuer: state.issuer }]
    })
  }

  /** What is to be said of the lists of a service, and for whom there is none: sentences. @param now in milliseconds since 1970 */
  notices(service: string, clients: SnapshotClientCertificates, now: number): string[] {
    const loaded = this.of(service, clients)
    if (loaded === undefined) return []
    const issuers = new Set(loaded.map(({ issuer }) => issuer))
    const unlisted = clients.authorities.map(subjectOf).filter((subject) => !issuers.has(subject))
    return [
      ...(clients.revocationLists ?? []).flatMap((source) => this.#noticeOf(service, source, now) ?? []),
      ...(loaded.length === 0 ? [] : unlisted).map(
        (subject) =>
          `Clients with certificates under ${subject} are refused: none of client-certificate-crls is from it.`,
      ),
    ]
  }

  #noticeOf(service: string, source: SnapshotRevocationList, now: number): string | undefined {
    const { list, state } = this.#heldOf(service, source)
    const named = `client-certificate-crls/${source.name}`
    if (list === undefined) {
      const reason = state.problem === '' ? 'it is not downloaded yet.' : state.problem
      return `Clients with certificates are refused for want of ${named}: ${reason}`
    }
    if (list.hasExpired(now)) {
      const when = new Date(list.expiresAt ?? 0).toISOString()
      return `Clients are refused about whose certificates ${named} is: it has expired, at ${when}. ${state.problem}`.trim()
    }
    return state.problem === '' ? undefined : `The ${named} of before goes on: ${state.problem}`
  }

  #heldOf(service: string, source: SnapshotRevocationList): Held {
    const files = revocationListFiles(service, source)
    const held = this.#held.get(files.list) ?? this.#read(files)
    this.#held.set(files.list, held)
    return held
  }

  #read(files: RevocationListFiles): Held {
    const before = this.#heldBefore.get(files.list)
    const state = stateOf(this.#bytesOf(files.state))
    const text = this.#bytesOf(files.list)
    if (text === undefined) return { state, text, list: undefined }
    if (before?.text?.equals(text)) return { ...before, state }
    try {
      return { state, text, list: new CertificateList(text) }
    } catch {
      // It was spoiled since it was checked: the one of before goes on, or none.
      return { state, text: before?.text, list: before?.list }
    }
  }

  #bytesOf(file: string): Buffer | undefined {
    if (this.#folder === undefined) return undefined
    try {
      return readFileSync(join(this.#folder, file))
    } catch {
      return undefined
    }
  }
}

function stateOf(bytes: Buffer | undefined): RevocationListState {
  try {
    return bytes === undefined ? { problem: '' } : JSON.parse(bytes.toString())
  } catch {
    return { problem: '' }
  }
}

/** The name of a certificate's subject, in one line. */
export function subjectOf(certificate: string): string {
  return nameInOneLine(new X509Certificate(certificate).subject)
}

/** A name as Node writes it, an attribute in each line. */
export function nameInOneLine(name: string): string {
  return name.replaceAll('\n', ', ')
}
