import type { Severity } from '@palisade/platform'
import { Temporal } from 'temporal-polyfill'
import type { RouteConfiguration } from '../notification-configuration.ts'

/** To which channel word of a condition goes, and when at the earliest. */
export interface Destination {
  readonly channel: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
}

/**
 * The channels that get word of a condition: each of them once, at the earliest time that one of its routes says.
 *
 * @param now in milliseconds since 1970
 */
export function destinationsOf(
  { severity, service }: { readonly severity: Severity; readonly service: string },
  routes: readonly RouteConfiguration[],
  now: number,
): Destination[] {
  const dueAtOf = new Map<string, number>()
  for (const { channels, severities, services, quietHours, groupSeconds } of routes) {
    if (severities?.includes(severity) === false || services?.includes(service) === false) continue
    const grouped = now + groupSeconds * 1000
    const dueAt =
      quietHours === undefined || severity === 'critical' ? grouped : afterQuietHours(grouped, quietHours)
    for (const channel of channels) dueAtOf.set(channel, Math.min(dueAt, dueAtOf.get(channel) ?? dueAt))
  }
  return Array.from(dueAtOf, ([channel, dueAt]) => ({ channel, dueAt }))
}

/** The time itself, or the end of the quiet hours that it falls into. They may go past midnight. */
export function afterQuietHours(
  at: number,
  { from, to, timeZone }: NonNullable<RouteConfiguration['quietHours']>,
): number {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isQuiet = from <= to ? time >= from && time < to : time >= from || time < to
  if (!isQuiet) return at
  const end = local.withPlainTime(to)
  const isToday = Temporal.ZonedDateTime.compare(end, local) > 0
  return (isToday ? end : local.add({ days: 1 }).withPlainTime(to)).epochMilliseconds
}
