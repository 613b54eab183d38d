import type { TransactionTables } from '@palisade/platform'
import type { AccountOrDomain } from '../statistics/mail-counts.ts'
import type { EmailTables } from '../tables.ts'

/** Deletes a domain, or all of an account, with its verification and the statistics of its mail. */
export async function deleteDomains(
  { tables }: Pick<TransactionTables, 'tables'>,
  { accountId, domainId }: AccountOrDomain,
): Promise<void> {
  const db = tables<EmailTables>()
  for (const table of ['email_mail_count', 'email_mail_report', 'email_verification'] as const) {
    const ofAccount = db.deleteFrom(table).where('account_id', '=', accountId)
    await (domainId === undefined ? ofAccount : ofAccount.where('domain_id', '=', domainId)).execute()
  }
  const domains = db.deleteFrom('email_domain').where('account_id', '=', accountId)
  await (domainId === undefined ? domains : domains.where('id', '=', domainId)).execute()
}
