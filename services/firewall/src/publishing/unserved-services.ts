import type { Log, ServiceWarning } from '@palisade/platform'
import type { ProxyReport } from '@palisade/proxy-protocol'
import { switchedOff } from '../features/services/place.ts'
import type { SystemEvent, SystemLog } from '../logs/system-log.ts'
import type { PublishedSnapshot } from './compile-snapshot.ts'
import { eventIds } from './event-ids.ts'
import type { ProxyReports } from './proxy-reports.ts'
import { servicesDown } from './reported-service.ts'

/** How long the reply of a change waits for what proxies say of it, in milliseconds. On the same machine that takes a tenth of it. */
const replyWaitMs = 500

/** Of so many services that change at once each has lines of its own in the logs; the others are counted. */
const toldAtOnceMax = 20

/** Why clients cannot reach a service. Proxies are told nothing of one that is withheld, since the configuration lacks something that it needs. */
interface Unserved {
  readonly reason: string
  readonly isWithheld: boolean
}

type UnservedByName = ReadonlyMap<string, Unserved>

/**
 * Which services clients cannot reach although they are switched on, as the proxies tell. What begins and what ends is logged once: of all
 * services in the program's log, in the system log of those alone of which no proxy tells (`traffic-events.ts`).
 */
export class UnservedServices {
  readonly #reports: ProxyReports
  readonly #newest: () => PublishedSnapshot
  readonly #system: SystemLog
  readonly #log: Log
  #told: UnservedByName = new Map()

  constructor(deps: {
    readonly reports: ProxyReports
    readonly newest: () => PublishedSnapshot
    readonly system: SystemLog
    readonly log: Log
  }) {
    this.#reports = deps.reports
    this.#newest = deps.newest
    this.#system = deps.system
    this.#log = deps.log
  }

  /** To be called whenever a proxy has reported. */
  async look(): Promise<void> {
    const before = this.#told
    const now = unservedBy(this.#newest(), this.#reports.all())
    this.#told = now
    const begun = [...now].filter(([name, { reason }]) => before.get(name)?.reason !== reason)
    const ended = [...before].filter(([name]) => !now.has(name))
    for (const { severity, message } of eventsOf(begun, ended)) {
      this.#log[severity === 'Warning' ? 'warn' : 'info'](message)
    }
    await this.#append(eventsOf(begun.filter(isWithheld), ended.filter(isWithheld)))
  }

  /**
   * Why clients cannot reach a service that was changed a moment ago, as far as that is known soon.
   *
   * @returns a sentence; undefined where they can, it is switched off, or no proxy has said anything in time
   */
  async reasonSoon(service: string): Promise<string | undefined> {
    const published = this.#newest()
    const { snapshot } = published
    const until = performance.now() + replyWaitMs
    const isBehind = ({ digest, version }: ProxyReport) =>
      digest !== snapshot.digest && version < snapshot.version
    while (this.#reports.all().some(isBehind)) {
      const leftMs = until - performance.now()
      if (leftMs <= 0) break
      await this.#reports.next(leftMs)
    }
    const current = this.#reports.all().filter((report) => !isBehind(report))
    return unservedBy(published, current).get(service)?.reason
  }

  /** No names, since anybody may ask whether the server is ready. */
  warnings(): ServiceWarning[] {
    const reports = this.#reports.all()
    // Where no proxy asks for it, the configuration is not compiled either.
    const size = reports.length === 0 ? 0 : unservedBy(this.#newest(), reports).size
    if (size === 0) return []
    const message = `Clients cannot reach ${size} firewall services: their status and the system log say why.`
    return [{ condition: 'unserved-services', message }]
  }

  async #append(events: readonly SystemEvent[]): Promise<void> {
    try {
      for (const event of events) await this.#system.append(event)
    } catch (error) {
      this.#log.error({ err: error }, 'the system log could not be written')
    }
  }
}

type NamedUnserved = readonly [name: string, unserved: Unserved]

function isWithheld([, { isWithheld: is }]: NamedUnserved): boolean {
  return is
}

function eventsOf(begun: readonly NamedUnserved[], ended: readonly NamedUnserved[]): SystemEvent[] {
  const more = begun.length - toldAtOnceMax
  return [
    ...begun
      .slice(0, toldAtOnceMax)
      .map(([service, { reason }]) => withheld(`Clients cannot reach the service ${service}. ${reason}`)),
    ...(more > 0 ? [withheld(`Clients cannot reach ${more} more services.`)] : []),
    ...ended
      .slice(0, toldAtOnceMax)
      .map(([service]) =>
        published(`Clients reach the service ${service} again, or it was switched off or deleted.`),
      ),
  ]
}

function withheld(message: string): SystemEvent {
  return { module: 'Service', eventId: eventIds.serviceWithheld, severity: 'Warning', message }
}

function published(message: string): SystemEvent {
  return { module: 'Service', eventId: eventIds.servicePublished, severity: 'Notice', message }
}

/**
 * Why services that are switched on are not served, by name: sentences. Where a proxy says so, or the configuration lacks something
 * that it needs. What proxies say of their rules is told elsewhere, for all services together.
 */
function unservedBy({ withheld }: PublishedSnapshot, reports: readonly ProxyReport[]): UnservedByName {
  const unserved = new Map<string, Unserved>()
  if (reports.length === 0) return unserved
  for (const [name, reason] of withheld) {
    if (reason !== switchedOff) unserved.set(name, { reason, isWithheld: true })
  }
  for (const report of reports) {
    for (const { name, reason } of servicesDown(report)) {
      if (reason !== report.rulesProblem && !withheld.has(name)) {
        unserved.set(name, { reason, isWithheld: false })
      }
    }
  }
  return unserved
}
