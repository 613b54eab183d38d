import { type ScheduleItem, type TimeOfDay, weekdays } from './schedule.ts'
import { momentMeantBy, momentsOf, type WallTime, wallTimeAt } from './zoned-time.ts'

/** A run that a schedule asks for. Milliseconds since 1970. */
export interface ScheduledRun {
  readonly atMs: number
  /** When it is to be ended if it has not by itself; null when it may take as long as it likes. */
  readonly cancelAtMs: number | null
}

/** A weekly time comes again within a week and a day, whatever the clocks do. */
const daysAhead = 8

/**
 * The first run after a moment; undefined when the schedule asks for none.
 *
 * - `daily` and `weekly` run once a day they name, also on days when the clock is changed: at the first of two equal
 *   times, and at the time after the change when theirs is left out.
 * - `hourly` runs whenever the clock shows a full hour that is a multiple of the interval: from midnight on, at 00:00
 *   again whatever came before, twice in an hour that comes twice, and after the change for one that is left out.
 */
export function nextRun(
  schedule: readonly ScheduleItem[],
  timeZone: string,
  afterMs: number,
): ScheduledRun | undefined {
  const midnight = wallTimeAt(timeZone, afterMs).round({ smallestUnit: 'day', roundingMode: 'floor' })
  for (let ahead = 0; ahead <= daysAhead; ahead++) {
    const day = midnight.add({ days: ahead })
    const runs = schedule
      .flatMap((item) => runsOfDay(item, timeZone, day))
      .filter(({ atMs }) => atMs > afterMs)
      .sort((a, b) => a.atMs - b.atMs)
    if (runs[0]) return runs[0]
  }
  return undefined
}

/** @param day its midnight */
function runsOfDay(item: ScheduleItem, timeZone: string, day: WallTime): ScheduledRun[] {
  if (item.type === 'manual') return []
  if (item.type === 'hourly') {
    return hoursOf(item.interval)
      .map((hour) => day.with({ hour }))
      .flatMap((wall) => [momentMeantBy(timeZone, wall), ...momentsOf(timeZone, wall)])
      .map((atMs) => ({ atMs, cancelAtMs: null }))
  }
  if (!isOn(item, day.dayOfWeek)) return []
  const { hour, minute, cancelAt } = item
  const start = day.with({ hour, minute })
  return [
    {
      atMs: momentMeantBy(timeZone, start),
      cancelAtMs: cancelAt ? cancelMoment(timeZone, start, cancelAt) : null,
    },
  ]
}

/** @param weekday 1 for Monday to 7 for Sunday */
function isOn(item: Extract<ScheduleItem, { type: 'daily' | 'weekly' }>, weekday: number): boolean {
  if (item.type === 'daily') return item.workDaysOnly !== true || weekday <= 5
  return item.days.some((name) => weekdays.indexOf(name) + 1 === weekday)
}

function hoursOf(interval: number): number[] {
  return Array.from({ length: Math.ceil(24 / interval) }, (_, index) => index * interval)
}

/** A time that is not after the start is one of the next day. */
function cancelMoment(timeZone: string, start: WallTime, { hour, minute }: TimeOfDay): number {
  const isLater = hour * 60 + minute > start.hour * 60 + start.minute
  return momentMeantBy(timeZone, start.add({ days: isLater ? 0 : 1 }).with({ hour, minute }))
}
