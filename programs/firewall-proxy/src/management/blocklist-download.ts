import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@palisade/log'
import type { ProxySnapshot, SnapshotDownloadedBlocklist } from '@palisade/proxy-protocol'
import { listBytesMax, Unusable, usableList, writeCopy } from '../address-data/address-copies.ts'
import {
  type BlocklistState,
  blocklistCopy,
  blocklistStateCopy,
  urlDigestOf,
} from '../address-data/address-data.ts'
import { regularly } from '../regularly.ts'
import { downloadedFile, downloadProblem } from './downloaded-file.ts'

/** How often it is looked whether something is to be downloaded. */
const lookMs = 1_000
/** A list is downloaded again after so long. */
const freshMs = 60 * 60_000
/** After a download that failed the server is left alone for so long. */
const retryMs = 5 * 60_000

/**
 * Downloads the custom IP blocklist where the configuration says so, and again every hour. What is good is written to the folder
 * from which all workers read; while the server of the list is away, or gives something else, the list of before goes on, also when the proxy starts again.
 * A list of another URL is forgotten.
 */
export class BlocklistDownload {
  readonly #folder: string
  readonly #log: Log
  #source: SnapshotDownloadedBlocklist | undefined
  /** Undefined until the first snapshot has come: nothing is forgotten before. */
  #asked: string | undefined
  #taken = ''
  #state: BlocklistState | undefined
  #dueAt = 0

  /** @param folder for the copies; it is there */
  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  /** From now on this snapshot says what is downloaded. All services that have a list have the same. */
  follow({ services }: Pick<ProxySnapshot, 'services'>): void {
    const source = services.find(({ checks }) => checks?.downloadedBlocklist)?.checks?.downloadedBlocklist
    this.#source = source
    this.#asked = JSON.stringify(source ?? null)
  }

  /** Downloads what is asked for until the signal is aborted. @param onChange something else is to be read from the folder */
  async run(onChange: () => void, signal: AbortSignal): Promise<void> {
    await regularly(lookMs, signal, async () => {
      try {
        if (await this.#look(signal)) onChange()
      } catch (err) {
        this.#dueAt = Date.now() + retryMs
        this.#log.error({ err }, 'the custom IP blocklist cannot be written')
      }
    })
  }

  /** @returns whether the folder holds something else than before */
  async #look(signal: AbortSignal): Promise<boolean> {
    const asked = this.#asked
    if (asked === undefined) return false
    const source = this.#source
    const isOther = asked !== this.#taken
    if (isOther) {
      await this.#begin(source)
      this.#taken = asked
    }
    if (source === undefined || Date.now() < this.#dueAt) return isOther
    return (await this.#download(source, signal)) || isOther
  }

  /** Takes up what was downloaded from this URL before, and forgets what came from another one. */
  async #begin(source: SnapshotDownloadedBlocklist | undefined): Promise<void> {
    this.#dueAt = 0
    const state = source && (await this.#readState(source.url))
    const isThere = state && (await readFile(this.#place(blocklistCopy)).catch(() => undefined)) !== undefined
    if (isThere) {
      this.#state = state
      if (state.problem === '') this.#dueAt = (state.downloadedAt ?? 0) + freshMs
      // The clock may have been ahead.
      this.#dueAt = Math.min(this.#dueAt, Date.now() + freshMs)
      return
    }
    await rm(this.#place(blocklistCopy), { force: true })
    await rm(this.#place(blocklistStateCopy), { force: true })
    this.#state = source && { urlDigest: urlDigestOf(source.url), problem: '' }
  }

  async #readState(url: string): Promise<BlocklistState | undefined> {
    try {
      const state: BlocklistState = JSON.parse(await readFile(this.#place(blocklistStateCopy), 'utf8'))
      return state.urlDigest === urlDigestOf(url) ? state : undefined
    } catch {
      return undefined
    }
  }

  async #download(source: SnapshotDownloadedBlocklist, signal: AbortSignal): Promise<boolean> {
    const before = this.#state ?? { urlDigest: urlDigestOf(source.url), problem: '' }
    const origin = URL.parse(source.url)?.origin
    try {
      const file = {
        ...source,
        forbidden: source.forbidden,
        member: 'download-url',
        accept: 'text/plain, */*',
        bytesMax: listBytesMax,
      }
      const version = await downloadedFile(file, before, signal)
      const now = Date.now()
      this.#dueAt = now + freshMs
      if (version === undefined) {
        await this.#keep({ ...before, downloadedAt: now, problem: '' })
        return before.problem !== ''
      }
      const { bytes, etag, lastModified } = version
      const { entries } = usableList(bytes)
      if (entries === 0) throw new Unusable('it names no address')
      await writeCopy(this.#place(blocklistCopy), bytes)
      await this.#keep({
        urlDigest: before.urlDigest,
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
        downloadedAt: now,
        problem: '',
      })
      this.#log.info({ origin, entries }, 'the custom IP blocklist was downloaded')
      return true
    } catch (error) {
      if (signal.aborted) return false
      const problem = downloadProblem(error)
      this.#dueAt = Date.now() + retryMs
      if (problem !== before.problem) {
        this.#log.warn({ origin, reason: problem }, 'the custom IP blocklist cannot be downloaded')
      }
      await this.#keep({ ...before, problem })
      return problem !== before.problem
    }
  }

  async #keep(state: BlocklistState): Promise<void> {
    this.#state = state
    await writeCopy(this.#place(blocklistStateCopy), Buffer.from(JSON.stringify(state)))
  }

  #place(copy: string): string {
    return join(this.#folder, copy)
  }
}
