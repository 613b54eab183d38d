import { randomUUID } from 'node:crypto'
import type { Log } from '@palisade/log'
import { countedMax, counterNames, type ProxyCounts, type TrafficCounts } from '@palisade/proxy-protocol'
import { regularly } from '../regularly.ts'
import type { ManagementLink } from './management-link.ts'
import { Outbox } from './outbox.ts'

const intervalMs = 1_000
const minuteMs = 60_000

/** How many minutes of services wait for a management that is away; later ones are counted into the last of them. */
const waitingMax = 20_000

/** Adds up what workers have counted, by minute and service, and brings it to the management. What it did not answer is sent again. */
export class CountsCollector {
  readonly #proxy: string
  readonly #outbox: Outbox<ProxyCounts>
  readonly #waiting = new Map<string, TrafficCounts>()
  #minute = 0

  /** @param proxy its name in reports */
  constructor(proxy: string, link: Pick<ManagementLink, 'counts'>, log: Log) {
    this.#proxy = proxy
    this.#outbox = new Outbox({
      next: () => this.#next(),
      bring: (counts, signal) => link.counts(counts, signal),
      log,
      refusal: 'the management does not take what was counted',
    })
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
  run(signal: AbortSignal): Promise<void> {
    return regularly(intervalMs, signal, () => this.flush(signal))
  }

  /** Brings what there is; what the management does not take waits for the next time. */
  flush(signal: AbortSignal): Promise<void> {
    return this.#outbox.flush(signal)
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
