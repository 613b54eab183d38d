import type { Kysely } from 'kysely'
import type { EmailTables, VerificationRow } from '../tables.ts'
import type { VerificationState } from './check-result.ts'

/** The domain whose verification it is, and its token: a domain that is renamed gets another one. */
interface Verified {
  readonly accountId: string
  readonly domainId: number
  readonly dnsName: string | null
  readonly token: string
}

/**
 * Writes how a verification stands, in its row and as the status of its domain.
 *
 * @param more what else changes with it
 * @returns false when there is no such verification any more; nothing is written then
 */
export async function writeState(
  transaction: Kysely<EmailTables>,
  { accountId, domainId, dnsName, token }: Verified,
  { verifiedAt, misses, failure }: VerificationState,
  more: Partial<Pick<VerificationRow, 'looked_at' | 'due_at'>> = {},
): Promise<boolean> {
  const isVerified = verifiedAt !== null
  const { numUpdatedRows } = await transaction
    .updateTable('email_verification')
    .set({ verified_at: verifiedAt, verified_name: isVerified ? dnsName : null, misses, failure, ...more })
    .where('token', '=', token)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await transaction
    .updateTable('email_domain')
    .set({ status: isVerified ? 'VERIFIED' : 'UNVERIFIED' })
    .where('account_id', '=', accountId)
    .where('id', '=', domainId)
    .execute()
  return true
}
