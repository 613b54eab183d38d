import { randomUUID } from 'node:crypto'
import type { Clock } from '@palisade/platform'
import { type ProxyReport, type ProxyReportDifference, reportIntervalMs } from '@palisade/proxy-protocol'
import { servicesWith } from './reported-service.ts'

/** A proxy that has missed three reports is taken for gone. */
const silenceMaxMs = 3 * reportIntervalMs

/** How many proxies are remembered; of more, those that have reported longest ago are forgotten. */
const proxiesMax = 256

/** Is told what becomes of proxies. It must not throw. */
export interface ReportListener {
  /** @param before what the proxy told last; undefined when it is new, or was silent */
  reported(before: ProxyReport | undefined, now: ProxyReport): void
  silent(proxy: string): void
}

/** The last report of a proxy. */
interface LastReport {
  readonly report: ProxyReport
  readonly at: number
  /** What the proxy was told that it is called. */
  readonly id: string
}

/** What proxies have told about themselves lately. Kept in memory: proxies tell it again. */
export class ProxyReports {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  readonly #byProxy = new Map<string, LastReport>()

  readonly #listener: ReportListener

  constructor(clock: Clock, listener: ReportListener) {
    this.#clock = clock
    this.#listener = listener
  }

  /** @returns what the report is called in the difference that may follow it */
  take(report: ProxyReport): string {
    this.#forgetSilent()
    const id = randomUUID()
    this.#listener.reported(this.#byProxy.get(report.proxy)?.report, report)
    // Put at the end, so that the first is the one that reported longest ago.
    this.#byProxy.delete(report.proxy)
    if (!report.isLast) this.#byProxy.set(report.proxy, { report, at: this.#clock.now(), id })
    const [oldest] = this.#byProxy.keys()
    if (this.#byProxy.size > proxiesMax && oldest !== undefined) this.#byProxy.delete(oldest)
    for (const wake of [...this.#waiting]) wake()
    return id
  }

  /**
   * Takes what has changed since a report.
   *
   * @returns as {@link take}; undefined where that report is not the proxy's last one here
   */
  takeDifference({ base, report, gone }: ProxyReportDifference): string | undefined {
    this.#forgetSilent()
    const last = this.#byProxy.get(report.proxy)
    if (last?.id !== base) return undefined
    return this.take({ ...report, services: servicesWith(last.report.services, report.services, gone) })
  }

  /** Ends with the next report, or after so many milliseconds. */
  next(waitMaxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, waitMaxMs)
      this.#waiting.add(wake)
    })
  }

  /** The last report of each proxy that is there. */
  all(): ProxyReport[] {
    this.#forgetSilent()
    return Array.from(this.#byProxy.values(), ({ report }) => report)
  }

  #forgetSilent(): void {
    const oldest = this.#clock.now() - silenceMaxMs
    for (const [proxy, { at }] of this.#byProxy) {
      if (at >= oldest) continue
      this.#byProxy.delete(proxy)
      this.#listener.silent(proxy)
    }
  }
}
