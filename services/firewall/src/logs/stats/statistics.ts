import type { Clock } from '@palisade/platform'
import { type CountedStatistics, type CounterName, countersByStatistics } from '@palisade/proxy-protocol'
import type { LogStore } from '../log-store.ts'
import { logNames } from '../log-types.ts'
import type { TrafficCounters } from './counters.ts'
import { type Machine, machineFigures } from './machine.ts'

/** The statistics that can be read. */
export type StatisticsName = CountedStatistics | 'system-stats'

interface Described {
  readonly title: string
  readonly description: string
  /** The figures that nothing counts, and why. */
  readonly alwaysZero?: Partial<Record<CounterName, string>>
}

/** What replies call each of the statistics, and what they are about. */
export const statistics = {
  'attack-stats': {
    title: 'Attack Stats',
    description: 'Violations that were found, by what was done and by category.',
    alwaysZero: {
      'xml-violations': 'XML is not looked into.',
      'client-violations': 'no risk scores of clients are kept.',
    },
  },
  'http-stats': { title: 'HTTP Stats', description: 'Connections and requests of clients.' },
  'response-stats': {
    title: 'Response Stats',
    description: 'Responses to clients, by status and by who gave them.',
  },
  'ssl-stats': { title: 'SSL Stats', description: 'TLS handshakes with clients.' },
  'system-stats': {
    title: 'System Stats',
    description: 'The machine that the server runs on, and what the logs hold.',
  },
} as const satisfies Record<StatisticsName, Described>

/** The addresses after `stats/`. */
export const statisticsNames = Object.keys(statistics) as readonly StatisticsName[]

/** The names of the figures that statistics have, in the order in which they are shown. */
export function figuresOf(name: StatisticsName): readonly string[] {
  return name === 'system-stats' ? [...machineFigures, ...logFigures] : countersByStatistics[name]
}

/** The figures of statistics that nothing counts, and why. */
export function alwaysZeroOf(name: StatisticsName): Readonly<Partial<Record<string, string>>> {
  const described: Described = statistics[name]
  return described.alwaysZero ?? {}
}

/** Which time and which services the statistics of traffic are about. */
export interface StatisticsRange {
  /** The services that are counted; all of them when left out. */
  readonly services?: readonly string[]
  /** This minute and those before it, so many in all; everything that was ever counted when left out. */
  readonly minutes?: number
}

const logFigures = logNames.flatMap((name) => [`${name}-log-entries`, `${name}-log-bytes`])

const minuteMs = 60_000

/** Figures about the traffic and about the machine, as texts. */
export class Statistics {
  readonly #counters: TrafficCounters
  readonly #machine: Machine
  readonly #logs: LogStore
  readonly #clock: Clock

  constructor(deps: { counters: TrafficCounters; machine: Machine; logs: LogStore; clock: Clock }) {
    this.#counters = deps.counters
    this.#machine = deps.machine
    this.#logs = deps.logs
    this.#clock = deps.clock
  }

  /** What traffic counted, each counter of these statistics with its sum, which is 0 where there was none. */
  async ofTraffic(
    name: CountedStatistics,
    { services, minutes }: StatisticsRange,
  ): Promise<Record<string, string>> {
    const sums = await this.#counters.sums({
      ...(services === undefined ? {} : { services }),
      ...(minutes === undefined ? {} : { since: this.#clock.now() - (minutes - 1) * minuteMs }),
    })
    return Object.fromEntries(
      countersByStatistics[name].map((counter) => [counter, String(sums[counter] ?? 0)]),
    )
  }

  /** The machine, and how much each log holds. */
  async ofSystem(): Promise<Record<string, string>> {
    const tallies = await this.#logs.tallies()
    const figuresOfLogs = logNames.flatMap((name) => {
      const { entries, bytes } = tallies.get(name) ?? { entries: 0, bytes: 0 }
      return [
        [`${name}-log-entries`, String(entries)],
        [`${name}-log-bytes`, String(bytes)],
      ]
    })
    return { ...(await this.#machine.read()), ...Object.fromEntries(figuresOfLogs) }
  }
}
