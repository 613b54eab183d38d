import type { LogEntry } from './log-entries.ts'

/** What the log has of one request: a row of the table. */
export interface LoggedRequest {
  /** The entry that tells most: what was found, not the sum of it. */
  readonly telling: LogEntry
  /** Its entries that tell something; those that only add up are left out, unless there are no others. */
  readonly findings: readonly LogEntry[]
}

/** Entries by request, in the order of the newest entry of each. @param isSum whether a rule only adds up what others found */
export function requestsOf(
  entries: readonly LogEntry[],
  isSum: (rule: string) => boolean,
): readonly LoggedRequest[] {
  const byRequest = Map.groupBy(entries, ({ request, id }) => (request === '' ? id : request))
  return [...byRequest.values()].flatMap((all) => {
    const told = all.filter(({ rule }) => !isSum(rule))
    const findings = told.length === 0 ? all : told
    const [telling] = findings
    return telling === undefined ? [] : [{ telling, findings }]
  })
}

/** Entries with others that have come since, newest first, each once. */
export function withNewer(entries: readonly LogEntry[], newer: readonly LogEntry[]): readonly LogEntry[] {
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...entries.filter(({ id }) => !ids.has(id))].toSorted(
    (one, other) => other.time - one.time,
  )
}
