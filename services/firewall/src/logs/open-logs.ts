import { type Clock, migrate, type Store } from '@palisade/platform'
import { AuditLog } from './audit-log.ts'
import { LogStore } from './log-store.ts'
import type { LogName } from './log-types.ts'
import { type Limits, Retention } from './retention.ts'
import type { TrafficCounters } from './stats/counters.ts'
import { Machine } from './stats/machine.ts'
import { Statistics } from './stats/statistics.ts'
import { StoredCounters } from './stats/stored-counters.ts'
import { SystemLog } from './system-log.ts'
import { firewallLogMigrations } from './tables.ts'

/** Everything that the firewall keeps about what happened. */
export interface FirewallLogs {
  /** Written to by whoever carries traffic: access, web firewall and network firewall logs. */
  readonly logs: LogStore
  readonly audit: AuditLog
  readonly system: SystemLog
  readonly counters: TrafficCounters
  readonly statistics: Statistics
  /**
   * Removes what need not be kept any longer, in small steps; to be called every `sweepIntervalMs`.
   *
   * @param now in milliseconds since 1970
   */
  sweep(now: number): Promise<void>
  /** Lets a running sweep end. */
  close(): Promise<void>
}

/**
 * Brings the tables of the logs up to date and opens them. Their list of migrations is their own.
 *
 * @param deps.dataDirectory whose disk the system's statistics tell about
 * @param deps.limits what is kept of a log, where it is not what `retentionDefaults` says
 */
export async function openLogs(deps: {
  store: Store
  clock: Clock
  dataDirectory: string
  limits?: Partial<Record<LogName, Limits>>
}): Promise<FirewallLogs> {
  await migrate(deps.store, 'firewall_log', firewallLogMigrations)
  const logs = new LogStore(deps)
  const counters = new StoredCounters(deps)
  const retention = new Retention(deps)
  const machine = new Machine(deps.dataDirectory)
  return {
    logs,
    audit: new AuditLog({ logs, clock: deps.clock }),
    system: new SystemLog({ logs }),
    counters,
    statistics: new Statistics({ counters, machine, logs, clock: deps.clock }),
    sweep: async (now) => {
      await retention.sweep(now)
      await counters.sweep(now)
    },
    close: () => retention.close(),
  }
}
