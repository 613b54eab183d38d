import type { CounterName, TrafficCounts } from '@palisade/proxy-protocol'

/** Which counts are added up. */
export interface CountedRange {
  /** These services; all of them when left out. */
  readonly services?: readonly string[]
  /** The minute in which this moment lies, and later ones; everything that was ever counted when left out. */
  readonly since?: number
}

/** Which counts are told one by one, rather than added up. */
export interface CountedTimes {
  readonly services: readonly string[]
  readonly counters: readonly CounterName[]
  /** What the store has added up: minutes are kept for a week, hours for a quarter of a year. */
  readonly unit: 'minute' | 'hour'
  /** When minutes or hours began, in milliseconds since 1970. */
  readonly times: readonly number[]
}

/** What was counted within a minute or an hour. */
export interface CountedAt {
  /** When it began, in milliseconds since 1970. */
  readonly time: number
  readonly service: string
  readonly counter: string
  readonly value: number
}

/** Who hands counts over, and which. */
export interface CountsMessage {
  readonly proxy: string
  readonly message: string
}

/**
 * What the traffic counted. Callers collect and hand over now and then, a second being a good interval; what was
 * handed over is durable.
 */
export interface TrafficCounters {
  /** @param from what tells a message that comes twice, which is counted once */
  add(counted: readonly TrafficCounts[], from: CountsMessage): Promise<void>
  /** The sums; what was never counted is left out. */
  sums(range: CountedRange): Promise<Partial<Record<CounterName, number>>>
  /** What was counted in each minute or hour, in no order; what was never counted is left out. */
  at(range: CountedTimes): Promise<readonly CountedAt[]>
}
