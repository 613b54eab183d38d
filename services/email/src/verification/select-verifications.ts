import type { Kysely } from 'kysely'
import type { EmailTables } from '../tables.ts'
import type { VerificationState } from './check-result.ts'

/** The verification of one domain by DNS. Times are milliseconds since 1970. */
export interface Verification extends VerificationState {
  readonly accountId: string
  readonly domainId: number
  /** As DNS asks for it; null when DNS can have no such name. */
  readonly dnsName: string | null
  readonly token: string
  readonly requestedAt: number
  /** When it is checked next. */
  readonly dueAt: number
  /** When the last check was begun; 0 when there was none. */
  readonly claimedAt: number
  /** When the last check was done. */
  readonly checkedAt: number | null
}

/** Every {@link Verification}, with the domain that it is about. Also within a transaction. */
export function selectVerifications(tables: Kysely<EmailTables>) {
  return tables
    .selectFrom('email_verification')
    .innerJoin('email_domain', (join) =>
      join
        .onRef('email_domain.account_id', '=', 'email_verification.account_id')
        .onRef('email_domain.id', '=', 'email_verification.domain_id'),
    )
    .select([
      'email_verification.account_id as accountId',
      'email_verification.domain_id as domainId',
      'email_domain.dns_name as dnsName',
      'email_verification.token',
      'email_verification.requested_at as requestedAt',
      'email_verification.due_at as dueAt',
      'email_verification.taken_at as claimedAt',
      'email_verification.looked_at as checkedAt',
      'email_verification.verified_at as verifiedAt',
      'email_verification.misses',
      'email_verification.failure',
    ])
}
