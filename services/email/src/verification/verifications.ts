import { isDuplicate, type Store } from '@palisade/platform'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { EmailTables } from '../tables.ts'
import { type Finding, shownAfter, verifiedElsewhere } from './finding.ts'
import { longestIntervalMs, nextLookAt } from './schedule.ts'
import { selectVerifications, type Verification } from './select-verifications.ts'
import { writeShown } from './write-shown.ts'

/** What a look has made of a domain that was something else before. */
export type Change = 'VERIFIED' | 'UNVERIFIED'

/**
 * From one look at a domain to the next at least. A look takes a few seconds, so one that was begun earlier than this and
 * has left nothing was ended by a kill. Clocks of servers agree within it.
 */
export const restMs = 60_000

/** The verifications of all accounts, as they stand in the store. */
export class Verifications {
  readonly #tables: Kysely<EmailTables>

  constructor(store: Store) {
    this.#tables = store.tables<EmailTables>()
  }

  /** Undefined for a domain whose status is configured. */
  async of(accountId: string, domainId: number): Promise<Verification | undefined> {
    return selectVerifications(this.#tables)
      .where('email_verification.account_id', '=', accountId)
      .where('email_verification.domain_id', '=', domainId)
      .executeTakeFirst()
  }

  /** What is due and nobody looks at, the longest due first. What a clock that was ahead has put off too far is due as well. */
  async due(now: number, countMax: number): Promise<Verification[]> {
    return selectVerifications(this.#tables)
      .where(({ eb, or }) =>
        or([eb('due_at', '<=', now), eb('due_at', '>', now + longestIntervalMs + restMs)]),
      )
      .where(isRested(now))
      .orderBy('due_at')
      .limit(countMax)
      .execute()
  }

  /**
   * Begins a look.
   *
   * @returns whether it is the caller's: of several servers one is told so, and nobody within `restMs` of a look
   */
  async take({ token }: Verification, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('email_verification')
      .set({ taken_at: now })
      .where('token', '=', token)
      .where(isRested(now))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Writes down what came of a look, unless the domain was renamed or its status configured meanwhile. */
  async conclude(verification: Verification, finding: Finding, now: number): Promise<Change | undefined> {
    try {
      return await this.#conclude(verification, finding, now)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Another account's domain of this name was verified in the same moment.
      return this.#conclude(verification, verifiedElsewhere, now)
    }
  }

  #conclude({ token }: Verification, finding: Finding, now: number): Promise<Change | undefined> {
    return this.#tables.transaction().execute(async (transaction) => {
      const before = await selectVerifications(transaction).where('token', '=', token).executeTakeFirst()
      if (!before) return undefined
      const isElsewhere = finding.kind === 'found' && (await isVerifiedElsewhere(transaction, before))
      const shown = shownAfter(before, isElsewhere ? verifiedElsewhere : finding, now)
      const isVerified = shown.verifiedAt !== null
      const dueAt = nextLookAt({ ...before, isVerified }, now)
      const isWritten = await writeShown(transaction, before, shown, { looked_at: now, due_at: dueAt })
      if (!isWritten || isVerified === (before.verifiedAt !== null)) return undefined
      return isVerified ? 'VERIFIED' : 'UNVERIFIED'
    })
  }
}

/** Whether the last look is long enough ago. One that was begun in the future is of a clock that was ahead. */
function isRested(now: number) {
  return ({ eb, or }: ExpressionBuilder<EmailTables, 'email_verification'>) =>
    or([eb('taken_at', '<=', now - restMs), eb('taken_at', '>', now + restMs)])
}

async function isVerifiedElsewhere(
  tables: Kysely<EmailTables>,
  { accountId, dnsName }: Verification,
): Promise<boolean> {
  const other = await tables
    .selectFrom('email_domain')
    .select('id')
    .where('dns_name', '=', dnsName)
    .where('status', '=', 'VERIFIED')
    .where('account_id', '<>', accountId)
    .executeTakeFirst()
  return other !== undefined
}
