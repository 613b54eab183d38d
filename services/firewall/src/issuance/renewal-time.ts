import type { AcmeFailure, SuggestedRenewal } from '../acme/index.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** When a certificate is good, in milliseconds since 1970. */
export interface Life {
  readonly begin: number
  readonly end: number
}

/** How long certificates of public authorities mostly live, in milliseconds; for one that was not obtained yet. */
export const usualLifeMs = 90 * dayMs

/** For how long an authority is left alone that has refused something for a limit: as it says, or so long where it says nothing; never longer. */
const pause = { usualMs: 5 * minuteMs, maxMs: 15 * minuteMs }

/** Renewals of certificates that were obtained together are spread over this part of their lives. */
const spread = 1 / 20

/** How often an authority is asked when to renew, where it does not say so: as RFC 9773 (section 4.3.2) has it. */
const askAgain = { usualMs: 6 * 60 * minuteMs, minMs: minuteMs, maxMs: dayMs }

/**
 * When a certificate is renewed of which the authority says nothing: at two thirds of its life, or so many days before its end where an
 * administrator has chosen that, but never in the first half. Up to a twentieth of its life earlier.
 *
 * @param daysBefore undefined where nothing was chosen @param random from 0 to below 1
 */
export function ownRenewalTime({ begin, end }: Life, daysBefore: number | undefined, random: number): number {
  const life = end - begin
  const latest =
    daysBefore === undefined
      ? begin + (life * 2) / 3
      : Math.max(end - daysBefore * dayMs, begin + life * (1 / 2 + spread))
  return Math.round(latest - random * spread * life)
}

/** When a certificate is renewed of which the authority says so: at any time between the two that it names. */
export function suggestedTime({ from, to }: SuggestedRenewal, random: number): number {
  return Math.round(from + random * (to - from))
}

/** After how long the authority is asked again, in milliseconds. @param askedMs what it asks for; undefined where it does not */
export function askAgainAfterMs(askedMs = askAgain.usualMs): number {
  return Math.min(Math.max(askedMs, askAgain.minMs), askAgain.maxMs)
}

/**
 * After how long a renewal is tried again that has failed: five minutes, and each time twice as long, a day at most; for certificates that
 * live for days only the same parts of their lives.
 *
 * @param failures how often it has failed by now, from 1 @param random from 0 to below 1
 */
export function retryAfterFailureMs({ begin, end }: Life, failures: number, random: number): number {
  const life = end - begin
  const first = Math.min(5 * minuteMs, life / 50)
  const longest = Math.min(dayMs, life / 10)
  return Math.round(Math.min(first * 2 ** (failures - 1), longest) * (3 / 4 + random / 2))
}

/**
 * For how long nothing is asked of an authority after a refusal, in milliseconds. A limit may be that of one host alone, so that the others
 * are tried again sooner than the one that was refused.
 *
 * @returns 0 for a refusal that has nothing to do with limits
 */
export function pauseMs({ isRateLimit, retryAfterMs }: AcmeFailure): number {
  if (retryAfterMs === undefined) return isRateLimit ? pause.usualMs : 0
  return Math.min(retryAfterMs, pause.maxMs)
}
