import type { SnapshotRevocationList } from '@palisade/proxy-protocol'

const dayMs = 24 * 60 * 60_000

/** When something is updated, as {@link SnapshotRevocationList} has it. */
export type UpdateTimes = Pick<
  SnapshotRevocationList,
  'interval' | 'dayOfMonth' | 'dayOfWeek' | 'secondOfDay'
>

/** The first time of an update after another time, both in milliseconds since 1970. Days are those of UTC. */
export function updateAfter(time: number, { secondOfDay, ...days }: UpdateTimes): number {
  const date = new Date(time)
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  // Of 32 days in a row each day of the week is one, and each day of the month.
  for (let day = midnight; day <= midnight + 32 * dayMs; day += dayMs) {
    const at = day + secondOfDay * 1000
    if (at > time && isUpdateDay(new Date(day), days)) return at
  }
  throw new Error(`no day is day ${days.dayOfMonth} of a month`)
}

function isUpdateDay(
  date: Date,
  { interval, dayOfMonth, dayOfWeek }: Omit<UpdateTimes, 'secondOfDay'>,
): boolean {
  if (interval === 'day') return true
  if (interval === 'week') return date.getUTCDay() === dayOfWeek
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(dayOfMonth, lastDay)
}
