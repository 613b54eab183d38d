import { RequestRefused, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { hourMs, shownSince, startOfBlock } from './blocks.ts'

const word = (description: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$', maxLength: 64, description })

/** What whoever carries the mail of a domain tells of it. */
export const MailReport = withExample(
  Type.Object(
    {
      report: Type.String({
        pattern: '^[!-~]+$',
        maxLength: 128,
        description: 'what the reporter calls this report; one that was counted is not counted again',
      }),
      counts: Type.Array(
        Type.Object(
          {
            direction: Type.Union([Type.Literal('inbound'), Type.Literal('outbound')]),
            action: Type.Union([
              Type.Literal('allowed'),
              Type.Literal('blocked'),
              Type.Literal('deferred'),
              Type.Literal('quarantined'),
            ]),
            threatType: word('none, malware, data_exfiltration and the like'),
            reason: word('why, such as recipient_policies'),
            at: Type.String({ format: 'date-time', description: 'any time of the hour to count for' }),
            count: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'messages' }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 1000 },
      ),
    },
    { additionalProperties: false, title: 'MailReport' },
  ),
  {
    report: 'gateway-1/2030-01-08T10',
    counts: [
      {
        direction: 'inbound',
        action: 'blocked',
        threatType: 'malware',
        reason: 'antivirus',
        at: '2030-01-08T10:59:59Z',
        count: 3,
      },
    ],
  },
)

export type MailReport = Static<typeof MailReport>

/** What came of a report. */
export const MailReportReceipt = withExample(
  Type.Object(
    {
      report: Type.String(),
      isNew: Type.Boolean({ description: 'false when a report of this name was counted before' }),
    },
    { title: 'MailReportReceipt' },
  ),
  { report: 'gateway-1/2030-01-08T10', isNew: true },
)

/** How many messages of one kind there were in one hour. */
export interface MailCount {
  /** When the hour began, in milliseconds since 1970. */
  readonly hourAt: number
  readonly direction: string
  readonly action: string
  readonly threatType: string
  readonly reason: string
  readonly messages: number
}

/** The product has no statistics of before. */
const earliest = Date.UTC(2020, 7, 1)

/** A reporter's clock may be ahead of ours by this. */
const aheadMsMax = 5 * 60_000

/**
 * What a report counts, summed up by hour and kind, in an order that all writers share. What is too old to be asked for is left out.
 *
 * @throws RequestRefused bad-request, naming the member, for a time that cannot be
 */
export function countsOf({ counts }: MailReport, now: number): MailCount[] {
  const summed = new Map<string, MailCount>()
  for (const [index, { at, count, ...kind }] of counts.entries()) {
    const hourAt = startOfBlock(readTime(at, `counts.${index}.at`, now), hourMs)
    if (hourAt < shownSince(now)) continue
    const { direction, action, threatType, reason } = kind
    const key = JSON.stringify([hourAt, direction, action, threatType, reason])
    const messages = (summed.get(key)?.messages ?? 0) + count
    summed.set(key, { ...kind, hourAt, messages })
  }
  // Two writers that lock the same rows in different orders would wait for each other.
  return [...summed].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function readTime(at: string, field: string, now: number): number {
  const time = Date.parse(at)
  if (time >= earliest && time <= now + aheadMsMax) return time
  const message = `The member ${field} must be a time from 2020-08-01 to now.`
  throw new RequestRefused('bad-request', message, { field })
}
