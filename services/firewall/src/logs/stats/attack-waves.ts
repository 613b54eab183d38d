import type { Attention, Store } from '@palisade/platform'
import { deniedCounter } from '@palisade/proxy-protocol'
import { sql } from 'kysely'
import type { FirewallLogTables } from '../tables.ts'

const minuteMs = 60_000
const waveMinutes = 5
/** So many requests of one service that are denied within that time are no accident, however many rules each breaks. */
const deniedMin = 100

/**
 * The services under attack: those of which many requests were denied in the last five minutes.
 *
 * @param now in milliseconds since 1970
 */
export async function attackWaves(store: Store, now: number): Promise<Attention[]> {
  const since = Math.floor(now / minuteMs) * minuteMs - waveMinutes * minuteMs
  const rows = await store
    .tables<FirewallLogTables>()
    .selectFrom('firewall_traffic_counter')
    .select(['service', sql<number>`sum(cast(value as double precision))`.as('denied')])
    .where('minute', '>=', since)
    .where('counter', '=', deniedCounter)
    .groupBy('service')
    .execute()
  return rows
    .filter(({ denied }) => denied >= deniedMin)
    .map(({ service, denied }) => ({
      condition: 'attack-wave',
      subject: `service ${service}`,
      severity: 'warning',
      message: `${denied} requests to the service were denied as attacks in the last ${waveMinutes} minutes.`,
      remedy: 'palisade firewall logs web-firewall --since 10m --limit 100',
    }))
}
