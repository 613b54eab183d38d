/** A date and time of day as a clock on a wall shows them. */
export interface WallTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** May be beyond the month's last day: it then means a day of the next month. */
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** Whether the name is one of a time zone (IANA time zone database), such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** What clocks in the zone show at a moment. */
export function wallTimeAt(timeZone: string, atMs: number): WallTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  }
}

/**
 * The moments at which clocks in the zone show a time: one, two when the clock is set back over it, none when it is
 * set forward over it. In order.
 */
export function momentsOf(timeZone: string, wall: WallTime): number[] {
  const asUtcMs = utcOf(wall)
  const moments = offsetsAround(timeZone, asUtcMs)
    .map((offsetMs) => asUtcMs - offsetMs)
    .filter((atMs) => utcOf(wallTimeAt(timeZone, atMs)) === asUtcMs)
  return [...new Set(moments)].sort((a, b) => a - b)
}

/**
 * The one moment that is meant by a time of day: the first of two; and as long after a time that is left out as the
 * clock is set forward, so that 02:30 becomes 03:30 (RFC 5545, section 3.3.5).
 */
export function momentMeantBy(timeZone: string, wall: WallTime): number {
  const [first] = momentsOf(timeZone, wall)
  if (first !== undefined) return first
  const asUtcMs = utcOf(wall)
  return asUtcMs - Math.min(...offsetsAround(timeZone, asUtcMs))
}

/** The day of the week, 0 for Monday to 6 for Sunday. */
export function weekdayOf(wall: WallTime): number {
  return (new Date(utcOf(wall)).getUTCDay() + 6) % 7
}

/** What zones are ahead of UTC the day before and the day after; no zone changes its clocks twice in between. */
function offsetsAround(timeZone: string, asUtcMs: number): number[] {
  return [asUtcMs - dayMs, asUtcMs + dayMs].map((atMs) => {
    const minuteMs = Math.floor(atMs / 60_000) * 60_000
    return utcOf(wallTimeAt(timeZone, minuteMs)) - minuteMs
  })
}

function utcOf({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
