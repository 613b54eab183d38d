import type { IncomingHttpHeaders } from 'node:http'
import { isRequestId } from '@palisade/log'
import {
  originHeaders,
  type ProxyCounts,
  type ProxyLearnt,
  type ProxyLogs,
  type ProxyReport,
  type ProxyReportDifference,
  type ProxySnapshot,
  type ProxyStoredRequests,
  proxyAddresses,
  readSnapshot,
  reportIdHeader,
  type SharedMemoryMessage,
  type SharedMemoryNews,
  SnapshotUnreadable,
  snapshotFormat,
  snapshotWaitMs,
  type Trial,
  type TrialResult,
} from '@palisade/proxy-protocol'
import type { WorkOrigin } from '@palisade/tracing'
import { Agent, request } from 'undici'
import type { ProxyConfiguration } from '../configuration.ts'

/** The management answers a held request in this time at the latest; what takes longer is lost. */
const answerMaxMs = snapshotWaitMs + 15_000

/** The management does not know the proxy's credential. */
const unauthorised: ReadonlySet<number> = new Set([401, 403])

/** A snapshot, and the request that the change in it comes of, where the management says so. */
export interface ReceivedSnapshot {
  readonly snapshot: ProxySnapshot
  readonly origin: WorkOrigin | undefined
}

/** Requests to the firewall's management. Each fails when the management is away or refuses it. */
export class ManagementLink {
  readonly #server: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent: Agent
  #isUp = false

  constructor({ server, credential, certificateAuthorities, insecure }: ProxyConfiguration) {
    this.#server = server
    this.#headers = { authorization: `Bearer ${credential}` }
    this.#agent = new Agent({
      allowH2: false,
      headersTimeout: answerMaxMs,
      connect: {
        rejectUnauthorized: !insecure,
        ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
      },
    })
  }

  /** Whether the management answered the last request, and knew this proxy. */
  get isUp(): boolean {
    return this.#isUp
  }

  /**
   * Waits for another snapshot.
   *
   * @param last the one that came last; undefined for none
   * @returns undefined when there was none for a while
   * @throws SnapshotUnreadable when this release cannot obey it
   */
  async nextSnapshot(
    last: ProxySnapshot | undefined,
    signal: AbortSignal,
  ): Promise<ReceivedSnapshot | undefined> {
    const address = new URL(proxyAddresses.snapshot, this.#server)
    address.searchParams.set('except', last?.digest ?? '')
    address.searchParams.set('format', String(snapshotFormat))
    address.searchParams.set('differences', '1')
    const { statusCode, headers, body } = await this.#request(address, { headers: this.#headers, signal })
    const text = await body.text()
    if (statusCode === 204) return undefined
    if (statusCode === 406) throw new SnapshotUnreadable(reasonIn(text))
    if (statusCode !== 200) throw refused('a snapshot', statusCode)
    return { snapshot: readSnapshot(text, last), origin: originIn(headers) }
  }

  /** @returns what the management calls the report; undefined where it takes no differences to it */
  async report(report: ProxyReport, signal: AbortSignal): Promise<string | undefined> {
    return reportIdIn(await this.#send(proxyAddresses.report, report, 'the report', signal))
  }

  /** Tells what has changed since a report. @returns as {@link report} */
  async reportDifference(
    difference: ProxyReportDifference,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const what = 'what has changed since the last report'
    return reportIdIn(await this.#send(proxyAddresses.reportDifference, difference, what, signal))
  }

  log(logs: ProxyLogs, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.logs, logs, 'log entries', signal)
  }

  counts(counts: ProxyCounts, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.counts, counts, 'what was counted', signal)
  }

  learnt(learnt: ProxyLearnt, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.learnt, learnt, 'what was learnt', signal)
  }

  storedRequests(requests: ProxyStoredRequests, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.storedRequests, requests, 'requests that are kept', signal)
  }

  /** Tells the other proxies something. */
  share(message: SharedMemoryMessage, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.sharedMemory, message, 'what is shared', signal)
  }

  /** Waits for what other proxies tell; undefined when there was nothing for a while. @param from `after` is empty at first */
  async nextShared(
    from: { readonly after: string; readonly sender: string },
    signal: AbortSignal,
  ): Promise<SharedMemoryNews | undefined> {
    const address = new URL(proxyAddresses.sharedMemory, this.#server)
    address.searchParams.set('after', from.after)
    address.searchParams.set('sender', from.sender)
    const { statusCode, body } = await this.#request(address, { headers: this.#headers, signal })
    const text = await body.text()
    if (statusCode === 204) return undefined
    if (statusCode !== 200) throw refused('to tell what is shared', statusCode)
    return JSON.parse(text) as SharedMemoryNews
  }

  /**
   * Waits for a trial that this proxy is to make; undefined when there was none for a while.
   *
   * @param ruleSets the names of those that can be tried here
   */
  async nextTrial(ruleSets: readonly string[], signal: AbortSignal): Promise<Trial | undefined> {
    const address = new URL(proxyAddresses.trial, this.#server)
    if (ruleSets.length > 0) address.searchParams.set('rule-sets', ruleSets.join(','))
    const { statusCode, body } = await this.#request(address, { headers: this.#headers, signal })
    const text = await body.text()
    if (statusCode === 204) return undefined
    if (statusCode !== 200) throw refused('a trial', statusCode)
    return JSON.parse(text) as Trial
  }

  trialResult(result: TrialResult, signal: AbortSignal): Promise<void> {
    return this.#post(proxyAddresses.trialResult, result, 'what came of a trial', signal)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #post(path: string, message: object, what: string, signal: AbortSignal): Promise<void> {
    await this.#send(path, message, what, signal)
  }

  /** @returns the headers of the answer, which has nothing else */
  async #send(
    path: string,
    message: object,
    what: string,
    signal: AbortSignal,
  ): Promise<IncomingHttpHeaders> {
    const { statusCode, headers, body } = await this.#request(new URL(path, this.#server), {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal,
    })
    await body.dump()
    if (statusCode !== 204) throw refused(what, statusCode)
    return headers
  }

  async #request(
    address: URL,
    options: Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'> & {
      readonly signal: AbortSignal
    },
  ): Promise<Awaited<ReturnType<typeof request>>> {
    try {
      const response = await request(address, { ...options, dispatcher: this.#agent })
      this.#isUp = response.statusCode < 500 && !unauthorised.has(response.statusCode)
      return response
    } catch (error) {
      if (!options.signal.aborted) this.#isUp = false
      throw error
    }
  }
}

/** The management has answered, and does not take what it was told. */
export class RefusedByManagement extends Error {
  readonly status: number

  constructor(what: string, status: number) {
    super(`the management refused ${what} with status ${status}`)
    this.status = status
  }

  /** Whether it is the message that is wrong, or too large: it would be refused again. */
  get isForGood(): boolean {
    return this.status === 400 || this.status === 413
  }
}

function refused(what: string, status: number): Error {
  return new RefusedByManagement(what, status)
}

function reportIdIn({ [reportIdHeader]: id }: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' ? id : undefined
}

function originIn(headers: Readonly<Record<string, string | string[] | undefined>>): WorkOrigin | undefined {
  const { [originHeaders.requestId]: requestId, [originHeaders.traceparent]: traceparent } = headers
  if (typeof requestId !== 'string' || !isRequestId(requestId)) return undefined
  return typeof traceparent === 'string' ? { requestId, traceparent } : { requestId }
}

/** What the management says of a snapshot that this release cannot read. */
function reasonIn(text: string): string {
  try {
    const { msg } = JSON.parse(text)
    return `the management says: ${String(msg).slice(0, 500).replace(/\.$/, '')}`
  } catch {
    return 'the management has none of a format that this proxy reads'
  }
}
