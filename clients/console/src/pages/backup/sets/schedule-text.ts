import { texts as all } from '../texts.ts'
import type { ScheduleItem } from './draft.ts'

const texts = all.schedule

/** When a set runs, in words. */
export function scheduleText(item: ScheduleItem): string {
  switch (item.type) {
    case 'manual':
      return texts.manual
    case 'hourly':
      return texts.hourly(item.interval)
    case 'daily':
      return item.workDaysOnly ? texts.workDays(timeText(item)) : texts.daily(timeText(item))
    case 'weekly':
      return texts.weekly(item.days.map((day) => texts.days[day]).join(', '), timeText(item))
  }
}

/** A time of day, as browsers write it in fields. */
export function timeText({ hour, minute }: { readonly hour: number; readonly minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The time of day in a field. */
export function timeOf(text: string): { readonly hour: number; readonly minute: number } {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute }
}
