import type { Attention, Store } from '@palisade/platform'
import type { EmailTables } from '../tables.ts'

/** Domains whose record DNS did not show the last time that it was asked, and why. */
export async function domainAttention(store: Store): Promise<Attention[]> {
  const rows = await store
    .tables<EmailTables>()
    .selectFrom('email_verification')
    .innerJoin('email_domain', (join) =>
      join
        .onRef('email_domain.account_id', '=', 'email_verification.account_id')
        .onRef('email_domain.id', '=', 'email_verification.domain_id'),
    )
    .select(['email_domain.account_id as accountId', 'email_domain.name', 'failure'])
    .select(['verified_at as verifiedAt', 'misses'])
    .where('failure', 'is not', null)
    .execute()
  return rows
    .filter(({ verifiedAt, misses }) => verifiedAt === null || misses > 0)
    .map(({ accountId, name, verifiedAt, failure }) => ({
      condition: verifiedAt === null ? 'domain-unverified' : 'domain-record-missing',
      subject: `domain ${accountId}/${name}`,
      severity: 'warning',
      message: `${verifiedAt === null ? 'The domain is not verified' : 'The domain will lose its verification'}: ${failure}`,
      remedy: `palisade email verification show ${name} --account ${accountId}`,
    }))
}
