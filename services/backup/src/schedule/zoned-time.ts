import { Temporal } from 'temporal-polyfill'

/*
 * Clocks of time zones, by the Temporal of ECMAScript, which Node has without a package from version 26 on: then the import goes, and
 * nothing else.
 */

/** A date and time of day as a clock on a wall shows them. */
export type WallTime = Temporal.PlainDateTime

/** Whether the name is one of a time zone (IANA time zone database), such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  try {
    // Temporal also takes whole dates that name a zone.
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** What clocks in the zone show at a moment. */
export function wallTimeAt(timeZone: string, atMs: number): WallTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDateTime()
}

/**
 * The moments at which clocks in the zone show a time: one, two when the clock is set back over it, none when it is
 * set forward over it. In order.
 */
export function momentsOf(timeZone: string, wall: WallTime): number[] {
  const moments = (['earlier', 'later'] as const)
    .map((disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }))
    .filter((moment) => moment.toPlainDateTime().equals(wall))
    .map(({ epochMilliseconds }) => epochMilliseconds)
  return [...new Set(moments)]
}

/**
 * The one moment that is meant by a time of day: the first of two; and as long after a time that is left out as the
 * clock is set forward, so that 02:30 becomes 03:30 (RFC 5545, section 3.3.5).
 */
export function momentMeantBy(timeZone: string, wall: WallTime): number {
  return wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}
