import { rowBatches } from '@palisade/platform'
import type { Transaction } from 'kysely'
import type { EmailConfiguration } from '../configuration.ts'
import { newToken } from '../dns/records.ts'
import type { EmailTables } from '../tables.ts'
import { stateAfter, verifiedElsewhere } from './check-result.ts'
import { nextCheckAt } from './schedule.ts'
import { selectVerifications } from './select-verifications.ts'
import { writeState } from './write-state.ts'

/**
 * Ends the verifications of an account's domains that are given another name or status than UNVERIFIED. To be called before
 * the domains are written.
 *
 * @returns the ids of domains whose verification goes on, and which keep the status that DNS gave them
 */
export async function endVerifications(
  transaction: Transaction<EmailTables>,
  accountId: string,
  domains: EmailConfiguration['accounts'][number]['domains'],
): Promise<ReadonlySet<number>> {
  const given = new Map(domains.map((domain) => [domain.id, domain]))
  const goingOn = new Set<number>()
  const stored = await selectVerifications(transaction)
    .select('email_domain.name')
    .where('email_verification.account_id', '=', accountId)
    .execute()
  for (const { domainId, name, token } of stored) {
    const domain = given.get(domainId)
    if (!domain || (domain.status === 'UNVERIFIED' && domain.name === name)) goingOn.add(domainId)
    else await transaction.deleteFrom('email_verification').where('token', '=', token).execute()
  }
  return goingOn
}

/** Begins the verification of all UNVERIFIED domains that have none. To be called when all domains are written. */
export async function beginVerifications(transaction: Transaction<EmailTables>, now: number): Promise<void> {
  const domains = await transaction
    .selectFrom('email_domain')
    .leftJoin('email_verification', (join) =>
      join
        .onRef('email_verification.account_id', '=', 'email_domain.account_id')
        .onRef('email_verification.domain_id', '=', 'email_domain.id'),
    )
    .select(['email_domain.account_id as accountId', 'email_domain.id'])
    .where('status', '=', 'UNVERIFIED')
    .where('token', 'is', null)
    .execute()
  const rows = domains.map(({ accountId, id }) => {
    const token = newToken()
    return {
      account_id: accountId,
      domain_id: id,
      token,
      requested_at: now,
      due_at: nextCheckAt({ token, requestedAt: now, isVerified: false }, now),
      taken_at: 0,
      looked_at: null,
      verified_at: null,
      verified_name: null,
      misses: 0,
      failure: null,
    }
  })
  for (const batch of rowBatches(rows)) {
    await transaction
      .insertInto('email_verification')
      .values(batch)
      // Another server that starts at this moment has begun it.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Takes what DNS gave from domains whose name the configuration gives to another account. To be called last. */
export async function giveWayToConfigured(transaction: Transaction<EmailTables>, now: number): Promise<void> {
  const taken = await selectVerifications(transaction)
    .innerJoin('email_domain as other', 'other.dns_name', 'email_verification.verified_name')
    .whereRef('other.account_id', '<>', 'email_verification.account_id')
    .where('other.status', '=', 'VERIFIED')
    .execute()
  for (const verification of taken) {
    await writeState(transaction, verification, stateAfter(verification, verifiedElsewhere, now))
  }
}
