import { type StoredLog, storedLog } from '../columns.ts'
import type { LogEntry, LogName } from '../log-types.ts'

/** How many entries {@link sampleEntries} makes. */
export const sampleCount = 3

/**
 * Entries of a log that differ in every field: the first has 1,000 or "Alpha url" in the field `url`, the second
 * 2,000 or "Beta url", the third 3,000 or "Gamma url"; they lie a minute apart.
 */
export function sampleEntries<Name extends LogName>(name: Name): LogEntry<Name>[] {
  const log = storedLog(name)
  return Array.from({ length: sampleCount }, (_, index) => sampleEntry(log, index) as LogEntry<Name>)
}

/** The value of a field in the sample entry with this index. */
export function sampleValue(log: StoredLog, field: string, index: number): string {
  const of = log.fields.get(field)
  if (of === 'time') return String(timeOf(index))
  return of === 'number' ? String(1000 * (index + 1)) : `${['Alpha', 'Beta', 'Gamma'][index]} ${field}`
}

function sampleEntry(log: StoredLog, index: number): Record<string, string | number> {
  const fields = [...log.fields.keys()].filter((field) => field !== 'id' && field !== 'time')
  return {
    ...Object.fromEntries(fields.map((field) => [field, sampleValue(log, field, index)])),
    time: timeOf(index),
  }
}

/** 2029-12-31T12:00 UTC and the minutes after it. */
function timeOf(index: number): number {
  return Date.UTC(2029, 11, 31, 12, index)
}
