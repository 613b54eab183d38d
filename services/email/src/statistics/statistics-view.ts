import { withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import type { MailSum } from './mail-counts.ts'
import type { StatisticsRequest } from './statistics-query.ts'

const KindsView = Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), {
  description:
    'messages by "action:threat_type:reason" and by the time at which their block began (RFC 3339, in UTC)',
})

/** The statistics of an account or a domain, as callers see them. */
export const StatisticsView = withExample(
  Type.Object(
    {
      accountId: Type.String(),
      type: Type.String(),
      count: Type.String({ description: 'how many blocks were asked for' }),
      period: Type.String({ description: '1h or 24h' }),
      inbound: KindsView,
      outbound: KindsView,
    },
    { title: 'Statistics' },
  ),
  {
    accountId: '5584599',
    type: 'email',
    count: '2',
    period: '24h',
    inbound: {
      'allowed:none:none': { '2030-01-07T00:00:00.000Z': 1204, '2030-01-08T00:00:00.000Z': 977 },
      'blocked:malware:antivirus': { '2030-01-08T00:00:00.000Z': 3 },
    },
    outbound: { 'allowed:none:none': { '2030-01-07T00:00:00.000Z': 310 } },
  },
)

/** Statistics as callers see them. @param sums of the blocks of that period; blocks without mail are left out */
export function statisticsViewOf(
  accountId: string,
  { period, count }: StatisticsRequest,
  sums: readonly MailSum[],
): Static<typeof StatisticsView> {
  return {
    accountId,
    type: 'email',
    count: String(count),
    period,
    inbound: kindsOf(sums, 'inbound'),
    outbound: kindsOf(sums, 'outbound'),
  }
}

function kindsOf(sums: readonly MailSum[], kind: string): Static<typeof KindsView> {
  const kinds: Static<typeof KindsView> = {}
  for (const { direction, action, threat_type: threatType, reason, block_at: blockAt, messages } of sums) {
    if (direction !== kind) continue
    const name = `${action}:${threatType}:${reason}`
    kinds[name] ??= {}
    kinds[name][new Date(blockAt).toISOString()] = messages
  }
  return kinds
}
