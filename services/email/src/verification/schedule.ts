const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The longest time between two checks that the schedule has. */
export const longestIntervalMs = 24 * hourMs

/** What the schedule depends on. */
export interface Scheduled {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  readonly isVerified: boolean
}

/**
 * When a domain is checked next, in milliseconds since 1970: after now, and no later than the interval of its age. Each
 * domain has moments of its own, which its token tells, so that checks stay spread out whatever was begun or missed together.
 */
export function nextCheckAt(scheduled: Scheduled, now: number): number {
  const interval = intervalMs(scheduled, now)
  const moment = Math.floor(interval * fractionOf(scheduled.token))
  return now + interval - ((now - moment) % interval)
}

/** The awareness product's schedule for its domains: slower with the age of the request. A verified one is checked daily. */
function intervalMs({ requestedAt, isVerified }: Scheduled, now: number): number {
  if (isVerified) return longestIntervalMs
  const ageHours = (now - requestedAt) / hourMs
  if (ageHours < 24) return 15 * minuteMs
  if (ageHours < 48) return 30 * minuteMs
  if (ageHours < 96) return hourMs
  return 4 * hourMs
}

/** A number from 0 to 1, evenly spread over tokens. */
function fractionOf(token: string): number {
  return Number.parseInt(token.slice(0, 8), 16) / 2 ** 32
}
