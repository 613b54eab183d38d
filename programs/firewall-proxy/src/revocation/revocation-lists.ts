import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnapshotClientCertificates, SnapshotRevocationList } from '@palisade/proxy-protocol'
import { CertificateList } from './certificate-list.ts'

/** The state of a list's download, as it is stored beside the list. */
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

/** The names of a list's files: another URL gives other names. */
export function revocationListFiles(
  service: string,
  { name, url }: Pick<SnapshotRevocationList, 'name' | 'url'>,
): RevocationListFiles {
  const digest = createHash('sha256')
    .update(JSON.stringify([service, name, url]))
    .digest('hex')
  return { list: `${digest}.crl`, state: `${digest}.json` }
}

/** A list as the folder has it. */
interface StoredList {
  readonly state: RevocationListState
  readonly text: Buffer | undefined
  readonly list: CertificateList | undefined
}

/** The lists of revoked certificates that are in a folder, each read when a service asks for it first. */
export class RevocationLists {
  readonly #folder: string | undefined
  /** By the names of the files with the lists. */
  #stored = new Map<string, StoredList>()
  #previous: ReadonlyMap<string, StoredList> = new Map()

  /** @param folder where those are that were downloaded; undefined where nothing is */
  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** Reads the folder again, each list when it is next asked for. A list that did not change stays the same object. */
  load(): void {
    this.#previous = this.#stored
    this.#stored = new Map()
  }

  /** The lists of a service that were downloaded; undefined where its configuration names none. */
  of(service: string, clients: SnapshotClientCertificates | undefined): LoadedRevocationList[] | undefined {
    return clients?.revocationLists?.flatMap((source) => {
      const { list, state } = this.#storedOf(service, source)
      return list === undefined || state.issuer === undefined
        ? []
        : [{ name: source.name, list, issuer: state.issuer }]
    })
  }

  /** Problems with the lists of a service, and authorities without a list: sentences for its status. @param now in milliseconds since 1970 */
  notices(service: string, clients: SnapshotClientCertificates, now: number): string[] {
    const loaded = this.of(service, clients)
    if (loaded === undefined) return []
    const issuers = new Set(loaded.map(({ issuer }) => issuer))
    const unlisted = clients.authorities.map(subjectOf).filter((subject) => !issuers.has(subject))
    return [
      ...(clients.revocationLists ?? []).flatMap((source) => this.#noticeOf(service, source, now) ?? []),
      ...(loaded.length === 0 ? [] : unlisted).map(
        (subject) =>
          `Clients with certificates under ${subject} are refused: client-certificate-crls has no list from it. Add one; an empty list will do.`,
      ),
    ]
  }

  #noticeOf(service: string, source: SnapshotRevocationList, now: number): string | undefined {
    const { list, state } = this.#storedOf(service, source)
    const named = `client-certificate-crls/${source.name}`
    if (list === undefined) {
      const reason = state.problem === '' ? 'the first download has not ended.' : state.problem
      return `Clients with certificates are refused until ${named} is downloaded: ${reason}`
    }
    if (list.hasExpired(now)) {
      const when = new Date(list.expiresAt ?? 0).toISOString()
      return `${named} has expired, at ${when}: clients whose certificates it covers are refused. ${state.problem}`.trim()
    }
    return state.problem === ''
      ? undefined
      : `${named} could not be updated, and the earlier list still counts: ${state.problem}`
  }

  #storedOf(service: string, source: SnapshotRevocationList): StoredList {
    const files = revocationListFiles(service, source)
    const stored = this.#stored.get(files.list) ?? this.#read(files)
    this.#stored.set(files.list, stored)
    return stored
  }

  #read(files: RevocationListFiles): StoredList {
    const before = this.#previous.get(files.list)
    const state = stateOf(this.#bytesOf(files.state))
    const text = this.#bytesOf(files.list)
    if (text === undefined) return { state, text, list: undefined }
    if (before?.text?.equals(text)) return { ...before, state }
    try {
      return { state, text, list: new CertificateList(text) }
    } catch {
      // It was damaged after it was checked: the earlier list still counts, if there is one.
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
