/**
 * When a backup set runs by itself (reference, section 2.7, and the page on schedules behind it): `manual` alone;
 * `hourly` alone; any number of `daily` and `weekly`. `minutely` exists for files only.
 */
import { type Static, Type } from 'typebox'

const hour = Type.Integer({ minimum: 0, maximum: 23 })
const minute = Type.Integer({ minimum: 0, maximum: 59 })

/** A time of day on the clock of the set's time zone. */
export const TimeOfDay = Type.Object({ hour, minute }, { additionalProperties: false, title: 'TimeOfDay' })
export type TimeOfDay = Static<typeof TimeOfDay>

/** In the order of ISO 8601, Monday first. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** One rule of a schedule. `interval` is hours; hours and minutes are on the clock of the set's time zone. */
export const ScheduleItem = Type.Union(
  [
    Type.Object({ type: Type.Literal('manual') }, { additionalProperties: false }),
    Type.Object(
      { type: Type.Literal('hourly'), interval: Type.Integer({ minimum: 1, maximum: 23 }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        type: Type.Literal('daily'),
        hour,
        minute,
        workDaysOnly: Type.Optional(Type.Boolean()),
        cancelAt: Type.Optional(TimeOfDay),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        type: Type.Literal('weekly'),
        days: Type.Array(Type.Enum(weekdays), { minItems: 1, maxItems: 7 }),
        hour,
        minute,
        cancelAt: Type.Optional(TimeOfDay),
      },
      { additionalProperties: false },
    ),
  ],
  { title: 'ScheduleItem' },
)
export type ScheduleItem = Static<typeof ScheduleItem>

/** Every day at 23:00, when nothing is said. */
export const defaultSchedule: readonly ScheduleItem[] = [{ type: 'daily', hour: 23, minute: 0 }]

/** What stands against a schedule as a whole, in sentences; its items are well formed. */
export function scheduleProblems(schedule: readonly ScheduleItem[]): string[] {
  for (const type of ['manual', 'hourly'] as const) {
    if (schedule.length > 1 && schedule.some((item) => item.type === type)) {
      return [`[schedule] is invalid: ${type} must be the only item`]
    }
  }
  return []
}
