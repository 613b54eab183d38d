import type { Clock } from '@palisade/platform'
import type { CounterName } from '@palisade/proxy-protocol'
import type { TrafficCounters } from './counters.ts'

const minuteMs = 60_000
const minutesOfHour = 60

/** What of the past is told, and how finely. */
export interface HistoryRange {
  readonly services: readonly string[]
  readonly counters: readonly CounterName[]
  /** How many minutes a step has. Whole hours go back further than minutes. */
  readonly stepMinutes: number
  /** How many steps, the one that runs now being the last. */
  readonly steps: number
}

/** What was counted, step by step. */
export interface TrafficHistory {
  /** When each step began, in milliseconds since 1970, ascending. */
  readonly times: readonly number[]
  /** By service, and by counter, a value for each step; services and counters with nothing counted are left out. */
  readonly services: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
}

/** What traffic counted over time. */
export async function trafficHistory(
  { counters, clock }: { readonly counters: TrafficCounters; readonly clock: Clock },
  { services, counters: names, stepMinutes, steps }: HistoryRange,
): Promise<TrafficHistory> {
  const stepMs = stepMinutes * minuteMs
  const last = Math.floor(clock.now() / stepMs) * stepMs
  const first = last - (steps - 1) * stepMs
  const inHours = stepMinutes % minutesOfHour === 0
  const unitMs = inHours ? minutesOfHour * minuteMs : minuteMs
  const counted = await counters.at({
    services,
    counters: names,
    unit: inHours ? 'hour' : 'minute',
    times: Array.from({ length: (steps * stepMs) / unitMs }, (_, index) => first + index * unitMs),
  })
  const history: Record<string, Record<string, number[]>> = Object.create(null)
  for (const { time, service, counter, value } of counted) {
    history[service] ??= Object.create(null) as Record<string, number[]>
    history[service][counter] ??= new Array<number>(steps).fill(0)
    const step = Math.floor((time - first) / stepMs)
    history[service][counter][step] = (history[service][counter][step] ?? 0) + value
  }
  return { times: Array.from({ length: steps }, (_, index) => first + index * stepMs), services: history }
}
