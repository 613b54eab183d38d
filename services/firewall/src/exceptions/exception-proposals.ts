import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@palisade/platform'
import { storedLog } from '../logs/columns.ts'
import { timeOfEntry } from '../logs/entry-ids.ts'
import type { LogStore } from '../logs/log-store.ts'
import { entryOf } from '../logs/rows.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { evidenceNeeded } from './evidence-needed.ts'
import { type JudgedRequest, judgedRequests } from './judged-requests.ts'
import type { Proposal } from './proposal.ts'
import { proposeExceptions } from './propose-exceptions.ts'

/** How much of the log is looked at: its newest entries, of all services together. */
const entriesMax = 20_000
const daysMax = 30
/** How many entries are taken apart before others are served. */
const entriesAtOnce = 500
const dayMs = 24 * 60 * 60 * 1000

/** What the entries are read for. */
const fields = new Set([
  'id',
  'time',
  'severity',
  'attack',
  'attack-detail',
  'rule',
  'rule-type',
  'rule-target',
  'request-id',
  'client-ip',
  'service-name',
  'method',
  'url',
])

/** Requests of a service that the log has, and the exceptions that would have let them through. */
export interface JudgedTraffic {
  /** In milliseconds since 1970: how far back the log was looked at. */
  readonly since: number
  readonly requests: readonly JudgedRequest[]
  /** Beginning with the one that most requests need. */
  readonly proposals: readonly Proposal[]
}

/** Exceptions that the web firewall log speaks for. */
export class ExceptionProposals {
  readonly #logs: LogStore
  readonly #clock: Clock

  constructor({ logs, clock }: { readonly logs: LogStore; readonly clock: Clock }) {
    this.#logs = logs
    this.#clock = clock
  }

  /** The proposals for a service, and what they are made of. @param signal ends the search */
  async of(service: ConfigurationObject, snapshot: Snapshot, signal: AbortSignal): Promise<JudgedTraffic> {
    const log = storedLog('web-firewall')
    const now = this.#clock.now()
    const times = [{ from: now - daysMax * dayMs, to: now }]
    const page = { offset: 0, limit: entriesMax }
    const rows = await this.#logs.search(log.name, { times, conditions: [], texts: [] }, page, signal)
    const entries: Record<string, string>[] = []
    for (let start = 0; start < rows.length; start += entriesAtOnce) {
      const part = rows.slice(start, start + entriesAtOnce).map((row) => entryOf(log, row, fields))
      entries.push(...part.filter((entry) => entry['service-name'] === service.name))
      await setImmediate()
    }
    const requests = judgedRequests(entries)
    const oldest = rows.length === entriesMax ? rows.at(-1) : undefined
    return {
      since: oldest === undefined ? now - daysMax * dayMs : timeOfEntry(oldest.id),
      requests,
      proposals: proposeExceptions(service.name, requests, evidenceNeeded(service, snapshot)),
    }
  }
}
