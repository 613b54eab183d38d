import type { Clock } from '@palisade/platform'
import { type ProxyReport, reportIntervalMs } from '@palisade/proxy-protocol'

/** A proxy that has missed three reports is taken for gone. */
const silenceMaxMs = 3 * reportIntervalMs

/** How many proxies are remembered; of more, those that have reported longest ago are forgotten. */
const proxiesMax = 256

/** What proxies have told about themselves lately. Kept in memory: proxies tell it again. */
export class ProxyReports {
  readonly #clock: Clock
  readonly #byProxy = new Map<string, { readonly report: ProxyReport; readonly at: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take(report: ProxyReport): void {
    this.#forgetSilent()
    // Put at the end, so that the first is the one that reported longest ago.
    this.#byProxy.delete(report.proxy)
    if (report.isLast) return
    this.#byProxy.set(report.proxy, { report, at: this.#clock.now() })
    const [oldest] = this.#byProxy.keys()
    if (this.#byProxy.size > proxiesMax && oldest !== undefined) this.#byProxy.delete(oldest)
  }

  /** The last report of each proxy that is there. */
  all(): ProxyReport[] {
    this.#forgetSilent()
    return Array.from(this.#byProxy.values(), ({ report }) => report)
  }

  #forgetSilent(): void {
    const oldest = this.#clock.now() - silenceMaxMs
    for (const [proxy, { at }] of this.#byProxy) if (at < oldest) this.#byProxy.delete(proxy)
  }
}
