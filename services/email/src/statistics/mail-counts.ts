import { setImmediate } from 'node:timers/promises'
import { RequestRefused, type Store } from '@palisade/platform'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DomainPlace, EmailTables, MailCountRow } from '../tables.ts'
import { type Blocks, dayMs, hourMs, shownSince } from './blocks.ts'
import type { MailCount } from './mail-report.ts'

/** How many kinds of messages a domain has in an hour at most, so that no reporter fills the store with words. */
const kindsMax = 200

/** How many messages of a kind in an hour at most: the sum of a day over 30,000 domains is an exact integer. */
const messagesMax = 10_000_000_000

/** How many rows one statement writes. */
const statementRows = 500

/** All domains of an account, or one of them. */
export type AccountOrDomain = Pick<DomainPlace, 'accountId'> & Partial<DomainPlace>

/** Messages of one kind in one block. */
export interface MailSum
  extends Pick<MailCountRow, 'direction' | 'action' | 'threat_type' | 'reason' | 'messages'> {
  /** When the block began, in milliseconds since 1970. */
  readonly block_at: number
}

/** What was reported about the mail of domains, by hour. Several servers may add to it. */
export class MailCounts {
  readonly #tables: Kysely<EmailTables>

  constructor(store: Store) {
    this.#tables = store.tables<EmailTables>()
  }

  /**
   * Adds what a report counts, unless the domain has had a report of this name: whole or not at all.
   *
   * @returns whether the report is new
   * @throws RequestRefused conflict when a domain would get too much in an hour
   */
  async add(
    domain: DomainPlace,
    report: string,
    counts: readonly MailCount[],
    now: number,
  ): Promise<boolean> {
    const place = { account_id: domain.accountId, domain_id: domain.domainId }
    const rows = counts.map(({ hourAt, threatType, ...count }) => ({
      ...place,
      hour_at: hourAt,
      threat_type: threatType,
      ...count,
    }))
    return this.#tables.transaction().execute(async (transaction) => {
      await holdDomain(transaction, domain)
      const { numInsertedOrUpdatedRows: inserted } = await transaction
        .insertInto('email_mail_report')
        .values({ ...place, report, received_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (inserted === 0n) return false
      await addRows(transaction, rows)
      await refuseExcess(transaction, place, rows)
      return true
    })
  }

  /** The sums of an account, or of one of its domains, in each block that has something; the earliest first. */
  async sums(place: AccountOrDomain, { blockMs, from, until }: Blocks): Promise<MailSum[]> {
    const days: MailSum[][] = []
    // A day at a time, since an account of many domains has a million rows in a month and others would have to wait.
    for (let day = from; day < until; day += dayMs) {
      days.push(await this.#sumsOfDay(place, { blockMs, from: day, until: Math.min(day + dayMs, until) }))
      await setImmediate()
    }
    return days.flat()
  }

  #sumsOfDay({ accountId, domainId }: AccountOrDomain, { blockMs, from, until }: Blocks): Promise<MailSum[]> {
    const ofAccount = this.#tables.selectFrom('email_mail_count').where('account_id', '=', accountId)
    const query = domainId === undefined ? ofAccount : ofAccount.where('domain_id', '=', domainId)
    return query
      .where('hour_at', '>=', from)
      .where('hour_at', '<', until)
      .select(kind)
      .select(sql<number>`hour_at - hour_at % ${blockMs}`.as('block_at'))
      .select(sql<number>`cast(sum(messages) as bigint)`.as('messages'))
      .groupBy([...kind, 'block_at'])
      .orderBy('block_at')
      .execute()
  }

  /** Forgets what can no longer be asked for. A report is known for as long as what it counted is. */
  async forget(now: number): Promise<void> {
    const since = shownSince(now)
    for (const { id } of await this.#tables.selectFrom('email_account').select('id').execute()) {
      await this.#tables
        .deleteFrom('email_mail_count')
        .where('account_id', '=', id)
        .where('hour_at', '<', since)
        .execute()
      await setImmediate()
    }
    // Reports tell of up to five minutes later than they come, and clocks of servers differ.
    await this.#tables
      .deleteFrom('email_mail_report')
      .where('received_at', '<', since - hourMs)
      .execute()
  }
}

const kind = ['direction', 'action', 'threat_type', 'reason'] as const

/**
 * Waits for the reports that others, on any server, take for the domain at this moment: each has to see what was added before it.
 *
 * @throws RequestRefused not-found, where the domain was deleted meanwhile
 */
async function holdDomain(
  transaction: Transaction<EmailTables>,
  { accountId, domainId }: DomainPlace,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('email_domain')
    .set(({ ref }) => ({ type: ref('type') }))
    .where('account_id', '=', accountId)
    .where('id', '=', domainId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new RequestRefused('not-found', 'There is no such domain.')
}

async function addRows(transaction: Transaction<EmailTables>, rows: readonly MailCountRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += statementRows) {
    await transaction
      .insertInto('email_mail_count')
      .values(rows.slice(start, start + statementRows))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'domain_id', 'hour_at', ...kind]).doUpdateSet(({ eb, ref }) => ({
          messages: eb(ref('email_mail_count.messages'), '+', ref('excluded.messages')),
        })),
      )
      .execute()
  }
}

async function refuseExcess(
  transaction: Transaction<EmailTables>,
  { account_id, domain_id }: Pick<MailCountRow, 'account_id' | 'domain_id'>,
  rows: readonly MailCountRow[],
): Promise<void> {
  if (rows.length === 0) return
  const excess = await transaction
    .selectFrom('email_mail_count')
    .select('hour_at')
    .where('account_id', '=', account_id)
    .where('domain_id', '=', domain_id)
    .where('hour_at', 'in', [...new Set(rows.map(({ hour_at }) => hour_at))])
    .groupBy('hour_at')
    .having(({ eb, fn, or }) =>
      or([eb(fn.countAll(), '>', kindsMax), eb(fn.max('messages'), '>', messagesMax)]),
    )
    .executeTakeFirst()
  if (!excess) return
  const hour = new Date(excess.hour_at).toISOString()
  throw new RequestRefused(
    'conflict',
    `With this report the hour of ${hour} would have more than ${kindsMax} kinds of messages, or more than ${messagesMax} messages of a kind.`,
    { field: 'counts' },
  )
}
