import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import { countedMax, counterNames, type ProxyCounts, type TrafficCounts } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { type ManagementLink, RefusedByManagement } from './management-link.ts'

const intervalMs = 1_000
const minuteMs = 60_000

/** How many minutes of services wait for a management that is away; later ones are counted into the last of them. */
const waitingMax = 20_000

/** Adds up what workers have counted, by minute and service, and brings it to the management. What it did not answer is sent again. */
export class CountsCollector {
  readonly #proxy: string
  readonly #link: Pick<ManagementLink, 'counts'>
  readonly #log: Log
  readonly #waiting = new Map<string, TrafficCounts>()
  #minute = 0
  #unanswered: ProxyCounts | undefined

  /** @param proxy its name in reports */
  constructor(proxy: string, link: Pick<ManagementLink, 'counts'>, log: Log) {
    this.#proxy = proxy
    this.#link = link
    this.#log = log
  }

  take(counted: readonly TrafficCounts[]): void {
    for (const { time, service, counts } of counted) {
      if (this.#waiting.size < waitingMax) this.#minute = Math.floor(time / minuteMs) * minuteMs
      const key = `${this.#minute} ${service}`
      const before = this.#waiting.get(key)
      this.#waiting.set(key, { time: this.#minute, service, counts: sum(before?.counts, counts) })
    }
  }

  /** Brings counts once a second until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(intervalMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await this.flush(signal)
    }
  }

  /** Brings what there is; what the management does not take waits for the next time. */
  async flush(signal: AbortSignal): Promise<void> {
    for (;;) {
      this.#unanswered ??= this.#next()
      if (this.#unanswered === undefined) return
      try {
        await this.#link.counts(this.#unanswered, signal)
      } catch (error) {
        const isGivenUp = error instanceof RefusedByManagement && error.isForGood
        this.#log[isGivenUp ? 'warn' : 'debug'](
          { reason: describe(error) },
          'the management does not take what was counted',
        )
        if (!isGivenUp) return
      }
      this.#unanswered = undefined
    }
  }

  #next(): ProxyCounts | undefined {
    const keys = [...this.#waiting.keys()].slice(0, countedMax)
    const counted = keys.flatMap((key) => this.#waiting.get(key) ?? [])
    for (const key of keys) this.#waiting.delete(key)
    return counted.length === 0 ? undefined : { proxy: this.#proxy, message: randomUUID(), counted }
  }
}

function sum(before: TrafficCounts['counts'] = {}, counts: TrafficCounts['counts']): TrafficCounts['counts'] {
  const sums = { ...before }
  for (const counter of counterNames) {
    const value = counts[counter]
    if (value !== undefined) sums[counter] = (sums[counter] ?? 0) + value
  }
  return sums
}
