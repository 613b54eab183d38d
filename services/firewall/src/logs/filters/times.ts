import type { TimeRange } from '../conditions.ts'

/** A date or a moment as ISO 8601 has it, in UTC unless it says otherwise; a blank may stand for the T. */
const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/i

/** Numbers of up to this many digits are seconds, longer ones milliseconds. */
const secondsDigitsMax = 11
const millisecondsDigitsMax = 13

/**
 * The time that a text stands for: a number of milliseconds or seconds since 1970, a date, or a date and a time of
 * day. It is as long as it is precise: a date is a whole day, 12:30 a whole minute.
 *
 * @returns undefined when it is none of these
 */
export function timeRangeOf(text: string): TimeRange | undefined {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return numberedRange(trimmed)
  const [, date, time, seconds, fraction, zone = 'Z'] = isoForm.exec(trimmed) ?? []
  if (date === undefined) return undefined
  const from = Date.parse(
    `${date}T${time ?? '00:00'}:${seconds ?? '00'}${fraction ?? ''}${zone.toUpperCase()}`,
  )
  return Number.isNaN(from) || from < 0 ? undefined : lasting(from, precisionOf({ time, seconds, fraction }))
}

function numberedRange(digits: string): TimeRange | undefined {
  if (digits.length > millisecondsDigitsMax) return undefined
  return digits.length <= secondsDigitsMax ? lasting(Number(digits) * 1000, 1000) : lasting(Number(digits), 1)
}

function precisionOf(parts: Record<'time' | 'seconds' | 'fraction', string | undefined>): number {
  if (parts.fraction !== undefined) return 1
  if (parts.seconds !== undefined) return 1000
  return parts.time === undefined ? 86_400_000 : 60_000
}

function lasting(from: number, length: number): TimeRange {
  return { from, to: from + length - 1 }
}
