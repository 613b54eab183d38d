import { withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import type { DomainRecord } from '../accounts.ts'
import { recordsOf, tokenLength } from '../dns/records.ts'
import type { Verification } from '../verification/select-verifications.ts'

const when = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** How the verification of a domain stands, as callers see it. */
export const VerificationView = withExample(
  Type.Object(
    {
      domainId: Type.Integer(),
      domainName: Type.String(),
      status: Type.String(),
      records: Type.Array(
        Type.Object({
          type: Type.String(),
          name: Type.String(),
          value: Type.String(),
          preference: Type.Optional(Type.Integer()),
        }),
        { description: 'any one of these is enough; empty when the status is configured' },
      ),
      requestedAt: when('when the verification was begun'),
      lookedAt: when('when DNS was asked last'),
      nextLookAt: when('when DNS will be asked next'),
      verifiedAt: when('since when the domain is VERIFIED by DNS'),
      failure: Type.Union([Type.String(), Type.Null()], {
        description: 'why the last check did not find a record; null when it did, or there was none',
      }),
    },
    { title: 'DomainVerification' },
  ),
  {
    domainId: 18,
    domainName: 'example.org',
    status: 'UNVERIFIED',
    records: [
      {
        type: 'TXT',
        name: 'example.org',
        value: `palisade-domain-verification=${'4f'.repeat(tokenLength / 2)}`,
      },
    ],
    requestedAt: '2030-01-07T08:00:00.000Z',
    lookedAt: '2030-01-07T08:15:00.000Z',
    nextLookAt: '2030-01-07T08:30:00.000Z',
    verifiedAt: null,
    failure: 'There is no such record.',
  },
)

/**
 * @param verification undefined when the domain's status is configured
 * @param mailHost below which the hosts of MX records lie, where those count
 */
export function verificationViewOf(
  { domainId, domainName, status }: DomainRecord,
  verification: Verification | undefined,
  mailHost: string | undefined,
): Static<typeof VerificationView> {
  return {
    domainId,
    domainName,
    status,
    records: verification ? recordsOf(verification, mailHost) : [],
    requestedAt: momentOf(verification?.requestedAt),
    lookedAt: momentOf(verification?.checkedAt),
    nextLookAt: momentOf(verification?.dueAt),
    verifiedAt: momentOf(verification?.verifiedAt),
    failure: verification?.failure ?? null,
  }
}

/** @param ms milliseconds since 1970 */
function momentOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}
