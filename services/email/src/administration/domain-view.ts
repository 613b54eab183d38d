import { withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { domainStatuses, domainTypes } from '../configuration.ts'
import { VerificationView, verificationViewOf } from '../rest/verification-view.ts'
import type { DomainRow } from '../tables.ts'
import type { Verification } from '../verification/select-verifications.ts'

const id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'the one after the largest of the account when left out',
  examples: [18],
})
const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'a name that DNS can have',
  examples: ['example.org'],
})
const status = Type.Enum(domainStatuses, {
  description: 'UNVERIFIED domains are verified by DNS; the others stay as they are set',
  examples: ['UNVERIFIED'],
})
const type = Type.Enum(domainTypes, { examples: ['ESS'] })

const { domainId: _id, domainName: _name, status: _status, ...verification } = VerificationView.properties
const DomainVerification = Type.Object(verification)

/** A domain as operators see it, with the records that DNS has to show. */
export const DomainView = withExample(
  Type.Object(
    {
      id: Type.Integer(),
      name: Type.String(),
      status: Type.String({ description: 'as it was set, or as DNS showed' }),
      type: Type.String(),
      verification: Type.Union([DomainVerification, Type.Null()], {
        description: 'by DNS; null where the status was set',
      }),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'EmailDomain' },
  ),
  { id: 18, name: 'example.org', status: 'VERIFIED', type: 'ESS', verification: null, managedBy: null },
)

/** The body of a request for another domain. */
export const DomainCreation = Type.Object(
  { id: Type.Optional(id), name, status: Type.Optional(status), type: Type.Optional(type) },
  { additionalProperties: false, title: 'EmailDomainCreation' },
)

/** What operators may change of a domain. */
export const DomainChange = Type.Object(
  { name: Type.Optional(name), status: Type.Optional(status), type: Type.Optional(type) },
  { additionalProperties: false, title: 'EmailDomainChange' },
)

/**
 * A domain as operators see it.
 *
 * @param verification undefined where the status was set
 * @param mailHost below which the hosts of MX records lie, where those count
 */
export function viewOfDomain(
  row: DomainRow,
  verification: Verification | undefined,
  mailHost: string | undefined,
): Static<typeof DomainView> {
  const { id, name, status, type, managed_by: managedBy } = row
  const record = { domainId: id, domainName: name, status, type }
  const view = verificationViewOf(record, verification, mailHost)
  const { domainId: _id, domainName: _name, status: _status, ...shown } = view
  return { id, name, status, type, verification: verification ? shown : null, managedBy }
}
