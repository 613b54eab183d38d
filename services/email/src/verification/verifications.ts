import { isDuplicate, type Store } from '@palisade/platform'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { EmailTables } from '../tables.ts'
import { type CheckResult, stateAfter, verifiedElsewhere } from './check-result.ts'
import { longestIntervalMs, nextCheckAt } from './schedule.ts'
import { selectVerifications, type Verification } from './select-verifications.ts'
import { writeState } from './write-state.ts'

/** What a check has made of a domain that was something else before. */
export type Change = 'VERIFIED' | 'UNVERIFIED'

/**
 * From one check of a domain to the next at least. A check takes a few seconds, so one that was begun earlier than this and
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

  /** What is due and nobody checks, the longest due first. What a clock that was ahead has put off too far is due as well. */
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

  /** When the first is due that nobody checks. */
  async nextDueAt(now: number): Promise<number | undefined> {
    const row = await this.#tables
      .selectFrom('email_verification')
      .select('due_at')
      .where(isRested(now))
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at
  }

  /**
   * Begins a check.
   *
   * @returns whether it is the caller's: of several servers one is told so, and nobody within `restMs` of a check
   */
  async claim({ token }: Verification, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('email_verification')
      .set({ taken_at: now })
      .where('token', '=', token)
      .where(isRested(now))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Writes down what came of a check, unless the domain was renamed or its status configured meanwhile. */
  async conclude(verification: Verification, result: CheckResult, now: number): Promise<Change | undefined> {
    try {
      return await this.#conclude(verification, result, now)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Another account's domain of this name was verified in the same moment.
      return this.#conclude(verification, verifiedElsewhere, now)
    }
  }

  #conclude({ token }: Verification, result: CheckResult, now: number): Promise<Change | undefined> {
    return this.#tables.transaction().execute(async (transaction) => {
      const before = await selectVerifications(transaction).where('token', '=', token).executeTakeFirst()
      if (!before) return undefined
      const isElsewhere = result.kind === 'found' && (await isVerifiedElsewhere(transaction, before))
      const state = stateAfter(before, isElsewhere ? verifiedElsewhere : result, now)
      const isVerified = state.verifiedAt !== null
      const dueAt = nextCheckAt({ ...before, isVerified }, now)
      const isWritten = await writeState(transaction, before, state, { looked_at: now, due_at: dueAt })
      if (!isWritten || isVerified === (before.verifiedAt !== null)) return undefined
      return isVerified ? 'VERIFIED' : 'UNVERIFIED'
    })
  }
}

/** Whether the last check is long enough ago. One that was begun in the future is of a clock that was ahead. */
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
