import { type ProxyReport, wholeReportEveryMs } from '@palisade/proxy-protocol'
import { type ManagementLink, RefusedByManagement } from './management-link.ts'
import { serviceChanges } from './service-changes.ts'

/** A report that the management has taken, and which it knows. */
interface TakenReport {
  /** What the management calls it. */
  readonly id: string
  readonly services: ProxyReport['services']
  /** When the last whole one was sent, in milliseconds of a clock that only goes forward. */
  readonly wholeAt: number
}

/**
 * Tells the management what has changed since the last report that it took: of thousands of services few change. A whole report is sent at first,
 * after an error, where the management does not know the last one, as another server or after its restart, and every few minutes.
 */
export class ChangedReports {
  readonly #link: Pick<ManagementLink, 'report' | 'reportDifference'>
  readonly #now: () => number
  #taken: TakenReport | undefined

  /** @param now milliseconds of a clock that only goes forward */
  constructor(link: Pick<ManagementLink, 'report' | 'reportDifference'>, now: () => number) {
    this.#link = link
    this.#now = now
  }

  /** Rejects where the management takes no report. */
  async send(report: ProxyReport, signal: AbortSignal): Promise<void> {
    const lastTaken = this.#taken
    // Whether the management has taken one that fails is not known.
    this.#taken = undefined
    const now = this.#now()
    if (lastTaken !== undefined && now - lastTaken.wholeAt < wholeReportEveryMs) {
      const id = await this.#sendDifference(lastTaken, report, signal)
      if (id !== undefined) {
        this.#taken = { ...lastTaken, id, services: report.services }
        return
      }
    }
    const id = await this.#link.report(report, signal)
    if (id !== undefined) this.#taken = { id, services: report.services, wholeAt: now }
  }

  /** @returns undefined where the management wants a whole one */
  async #sendDifference(
    { id, services }: TakenReport,
    report: ProxyReport,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { services: changed, gone } = serviceChanges(services, report.services)
    const difference = { base: id, report: { ...report, services: changed }, gone }
    try {
      return await this.#link.reportDifference(difference, signal)
    } catch (error) {
      // What is wrong besides, a whole report meets again.
      if (error instanceof RefusedByManagement) return undefined
      throw error
    }
  }
}
