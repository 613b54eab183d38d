import { rowBatches } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { newToken } from '../dns/records.ts'
import type { DomainPlace, EmailTables } from '../tables.ts'
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
  transaction: Kysely<EmailTables>,
  accountId: string,
  domains: readonly { readonly id: number; readonly name: string; readonly status: string }[],
): Promise<ReadonlySet<number>> {
  const names = new Map(domains.map((domain) => [domain.id, domain]))
  const goingOn = new Set<number>()
  const all = selectVerifications(transaction)
    .select('email_domain.name')
    .where('email_verification.account_id', '=', accountId)
  const [first, ...others] = domains
  const isOne = first !== undefined && others.length === 0
  const stored = await (isOne ? all.where('email_verification.domain_id', '=', first.id) : all).execute()
  for (const { domainId, name, token } of stored) {
    const domain = names.get(domainId)
    if (!domain || (domain.status === 'UNVERIFIED' && domain.name === name)) goingOn.add(domainId)
    else await transaction.deleteFrom('email_verification').where('token', '=', token).execute()
  }
  return goingOn
}

/**
 * Begins the verification of all UNVERIFIED domains that have none. To be called when all domains are written.
 *
 * @param place of the domain that may need one, when it is only that
 */
export async function beginVerifications(
  transaction: Kysely<EmailTables>,
  now: number,
  place?: DomainPlace,
): Promise<void> {
  const all = transaction
    .selectFrom('email_domain')
    .leftJoin('email_verification', (join) =>
      join
        .onRef('email_verification.account_id', '=', 'email_domain.account_id')
        .onRef('email_verification.domain_id', '=', 'email_domain.id'),
    )
    .select(['email_domain.account_id as accountId', 'email_domain.id'])
    .where('status', '=', 'UNVERIFIED')
    .where('token', 'is', null)
  const domains = await (place === undefined
    ? all
    : all.where('email_domain.account_id', '=', place.accountId).where('email_domain.id', '=', place.domainId)
  ).execute()
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

/**
 * Takes what DNS gave from domains whose name another account is given. To be called last.
 *
 * @param dnsName the name that may have been given, when it is only that
 */
export async function giveWayToConfigured(
  transaction: Kysely<EmailTables>,
  now: number,
  dnsName?: string,
): Promise<void> {
  const all = selectVerifications(transaction)
    .innerJoin('email_domain as other', 'other.dns_name', 'email_verification.verified_name')
    .whereRef('other.account_id', '<>', 'email_verification.account_id')
    .where('other.status', '=', 'VERIFIED')
  const owners = await (dnsName === undefined ? all : all.where('other.dns_name', '=', dnsName)).execute()
  for (const verification of owners) {
    await writeState(transaction, verification, stateAfter(verification, verifiedElsewhere, now))
  }
}
