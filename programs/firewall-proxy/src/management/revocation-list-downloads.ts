import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@palisade/log'
import type { ProxySnapshot, SnapshotRevocationList } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { listBytesMax, Unusable, writeCopy } from '../address-data/address-copies.ts'
import { regularly } from '../regularly.ts'
import { CertificateList } from '../revocation/certificate-list.ts'
import {
  nameInOneLine,
  type RevocationListFiles,
  type RevocationListState,
  revocationListFiles,
} from '../revocation/revocation-lists.ts'
import { downloadedFile, downloadProblem } from './downloaded-file.ts'
import { updateAfter } from './update-time.ts'

/** How often downloads that are due are looked for. */
const checkMs = 1_000
/** How long after an update that failed it is tried again. */
const retryMs = 60_000
/** The same while there is no list that counts. */
const urgentRetryMs = 5 * 60_000

/** A list that a service names, and the state of its download. */
interface ListDownload {
  readonly service: string
  readonly source: SnapshotRevocationList
  readonly authorities: readonly string[]
  readonly files: RevocationListFiles
  state: RevocationListState
  list: CertificateList | undefined
  /** In milliseconds since 1970. */
  dueAt: number
  /** How often the update that is due has failed. */
  failures: number
}

/**
 * Downloads the lists of revoked certificates that services name, when they are named, at the times that the configuration says, and when they have
 * expired. A list takes the place of the one before when an authority of the service has signed it, it counts now, and it is not the older
 * one: lists come over plain HTTP, and whoever is on the way could give an old one. While a list is not given, the one before goes on as
 * long as it counts, also when the proxy starts again.
 */
export class RevocationListDownloads {
  readonly #folder: string
  readonly #log: Log
  #downloads: readonly ListDownload[] = []
  /** The newest snapshot, until its lists were read. */
  #newSnapshot: Pick<ProxySnapshot, 'services'> | undefined

  /** @param folder for the lists; made where it is missing */
  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  /** From now on this snapshot says what is downloaded. */
  follow(snapshot: Pick<ProxySnapshot, 'services'>): void {
    this.#newSnapshot = snapshot
  }

  /** Downloads the lists of the newest snapshot until the signal is aborted. @param onChange called when the contents of the folder have changed */
  async run(onChange: () => void, signal: AbortSignal): Promise<void> {
    await regularly(checkMs, signal, async () => {
      try {
        await this.#readSnapshot()
        const due = this.#downloads.filter(({ dueAt }) => dueAt <= Date.now())
        const changes = await Promise.all(due.map((one) => this.#update(one, signal)))
        if (changes.includes(true)) onChange()
      } catch (err) {
        this.#log.error({ err }, 'lists of revoked certificates cannot be written')
      }
    })
  }

  async #readSnapshot(): Promise<void> {
    const snapshot = this.#newSnapshot
    if (snapshot === undefined) return
    const sources = snapshot.services.flatMap(({ name, tls }) =>
      (tls?.clients?.revocationLists ?? []).map((source) => ({
        service: name,
        source,
        authorities: tls?.clients?.authorities ?? [],
      })),
    )
    const before = new Map(this.#downloads.map((one) => [keyOf(one), one]))
    this.#downloads = await Promise.all(
      sources.map(async (one) => before.get(keyOf(one)) ?? this.#resume(one)),
    )
    await this.#removeUnused()
    if (this.#newSnapshot === snapshot) this.#newSnapshot = undefined
  }

  /** Takes up what was downloaded before. */
  async #resume(source: Pick<ListDownload, 'service' | 'source' | 'authorities'>): Promise<ListDownload> {
    const files = revocationListFiles(source.service, source.source)
    const one: ListDownload = {
      ...source,
      files,
      state: { problem: '' },
      list: undefined,
      dueAt: 0,
      failures: 0,
    }
    try {
      const state: RevocationListState = JSON.parse(await readFile(this.#place(files.state), 'utf8'))
      one.state = { ...state, problem: '' }
      const list = new CertificateList(await readFile(this.#place(files.list)))
      // The authorities of the service may be others by now.
      if (list.issuerAmong(one.authorities)) one.list = list
    } catch {
      // It is downloaded anew.
    }
    if (one.list === undefined) await rm(this.#place(files.list), { force: true })
    // The clock may have been ahead.
    const downloadedAt = Math.min(one.state.downloadedAt ?? 0, Date.now())
    one.dueAt = this.#dueAfter(one, downloadedAt)
    return one
  }

  async #update(one: ListDownload, signal: AbortSignal): Promise<boolean> {
    const { source, files, list } = one
    const before = JSON.stringify(one.state)
    const now = Date.now()
    one.dueAt = now + urgentRetryMs
    if (list?.hasExpired(now) && !source.isUpdated) {
      one.state = { ...one.state, problem: 'It is not downloaded again: auto-update is No.' }
      return this.#saveState(one, before)
    }
    try {
      const { list: newest, issuer } = await this.#download(one, signal)
      const isNew = list?.bytes.equals(newest.bytes) !== true
      if (isNew) await writeCopy(this.#place(files.list), newest.bytes)
      one.list = newest
      one.failures = 0
      one.state = { downloadedAt: now, issuer, problem: '' }
      one.dueAt = this.#dueAfter(one, now)
      if (isNew) {
        this.#log.info(
          { service: one.service, list: source.name, issuer },
          'a list of revoked certificates was downloaded',
        )
      }
      return (await this.#saveState(one, before)) || isNew
    } catch (error) {
      if (signal.aborted) return false
      const problem = downloadProblem(error)
      if (problem !== one.state.problem) {
        this.#log.warn(
          { service: one.service, list: source.name, reason: problem },
          'a list of revoked certificates cannot be downloaded',
        )
      }
      one.state = { ...one.state, problem }
      one.failures++
      one.dueAt = this.#dueAfterFailure(one, now)
      return this.#saveState(one, before)
    }
  }

  /** @throws Unusable and what {@link downloadedFile} throws */
  async #download(
    { source, authorities, list: before }: ListDownload,
    signal: AbortSignal,
  ): Promise<{ list: CertificateList; issuer: string }> {
    const { url, forbidden } = source
    const accept = 'application/pkix-crl, */*'
    const file = { url, forbidden, member: 'url', accept, bytesMax: listBytesMax }
    const downloaded = await downloadedFile(file, {}, signal)
    const list = readList(downloaded?.bytes ?? Buffer.alloc(0))
    const issuer = list.issuerAmong(authorities)
    const now = Date.now()
    if (issuer === undefined) {
      throw new Unusable('none of the trusted-certificates has signed it, with SHA-256 or a longer digest')
    }
    if (list.hasExpired(now)) throw new Unusable('it has expired')
    if (list.madeAt > now) throw new Unusable('it is of a time to come')
    if (before && list.madeAt < before.madeAt) throw new Unusable('it is older than the one that is there')
    return { list, issuer: nameInOneLine(issuer.subject) }
  }

  /** The next time for an update that went well, or when the list expires. */
  #dueAfter({ list, source }: ListDownload, time: number): number {
    if (list === undefined) return 0
    const expiresAt = list.expiresAt ?? Number.POSITIVE_INFINITY
    return source.isUpdated ? Math.min(updateAfter(time, source), expiresAt) : expiresAt
  }

  #dueAfterFailure(one: ListDownload, now: number): number {
    if (one.list === undefined || one.list.hasExpired(now)) return now + urgentRetryMs
    if (one.failures <= one.source.retriesMax) return now + retryMs
    one.failures = 0
    return this.#dueAfter(one, now)
  }

  /** @param before the state as JSON. @returns whether it is another one now, but for the time */
  async #saveState(one: ListDownload, before: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeCopy(this.#place(one.files.state), Buffer.from(JSON.stringify(one.state)))
    const { problem, issuer }: RevocationListState = JSON.parse(before)
    return problem !== one.state.problem || issuer !== one.state.issuer
  }

  /** Removes the files of lists that no service names any more. */
  async #removeUnused(): Promise<void> {
    const wanted = new Set(this.#downloads.flatMap(({ files }) => [files.list, files.state]))
    const existing = await readdir(this.#folder).catch((): string[] => [])
    const others = existing.filter((file) => !wanted.has(file))
    await Promise.all(others.map((file) => rm(this.#place(file), { force: true })))
  }

  #place(file: string): string {
    return join(this.#folder, file)
  }
}

function keyOf({
  service,
  source,
  authorities,
}: Pick<ListDownload, 'service' | 'source' | 'authorities'>): string {
  return JSON.stringify([service, source, authorities])
}

/** @throws Unusable */
function readList(bytes: Buffer): CertificateList {
  try {
    return new CertificateList(bytes)
  } catch (error) {
    throw new Unusable(`it is no list of revoked certificates: ${describe(error)}`)
  }
}
