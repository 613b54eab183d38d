import {
  isDuplicate,
  isOneOf,
  isStorableText,
  type Problem,
  problemAt,
  rowBatches,
  type Store,
  type TransactionTables,
} from '@palisade/platform'
import type { Kysely, Transaction } from 'kysely'
import type { EmailConfiguration } from './configuration.ts'
import { dnsNameOf } from './dns/dns-name.ts'
import { type Page, type PageRequest, pageOf } from './paging.ts'
import type { EmailTables } from './tables.ts'
import {
  beginVerifications,
  endVerifications,
  giveWayToConfigured,
} from './verification/provision-verifications.ts'

/** An account as callers of the public API see it. */
export interface AccountRecord {
  readonly accountName: string
  readonly accountId: string
  readonly region: string
  readonly status: string
}

/** A domain as callers of the public API see it. */
export interface DomainRecord {
  readonly domainId: number
  readonly domainName: string
  readonly status: string
  readonly type: string
}

/** The accounts of the email service and their domains. */
export class Accounts {
  readonly #tables: Kysely<EmailTables>
  readonly #kind: Store['kind']
  readonly #characterOrder: Store['characterOrder']

  constructor(store: Store) {
    this.#tables = store.tables<EmailTables>()
    this.#kind = store.kind
    this.#characterOrder = store.characterOrder
  }

  /** Which domains are given another id than they have, which is not changed. */
  async problems(accounts: EmailConfiguration['accounts']): Promise<Problem[]> {
    const problems: Problem[] = []
    for (const [account, { id: accountId, domains }] of accounts.entries()) {
      const rows = await this.#tables
        .selectFrom('email_domain')
        .select(['id', 'name'])
        .where('account_id', '=', accountId)
        .execute()
      const ids = new Set(domains.map(({ id }) => id))
      const idsLeftAlone = new Map(rows.filter(({ id }) => !ids.has(id)).map(({ id, name }) => [name, id]))
      for (const [index, { name }] of domains.entries()) {
        const id = idsLeftAlone.get(name)
        if (id === undefined) continue
        const path = ['email', 'accounts', account, 'domains', index, 'id']
        problems.push(problemAt(path, `must be ${id}, which the domain has in the database`))
      }
    }
    return problems
  }

  /**
   * Adds the accounts and domains or brings them to what is given; deletes none. UNVERIFIED domains are verified by DNS from
   * now on, and keep the status that they got by that. What is not given any more is administered at run time from then on.
   *
   * @param now milliseconds since 1970
   * @param file the configuration file that names them, as messages call it; null where none does
   * @throws Error when a domain has another id already
   */
  async provision(accounts: EmailConfiguration['accounts'], now: number, file: string | null): Promise<void> {
    try {
      await this.#write(accounts, now, file)
    } catch (cause) {
      if (!isDuplicate(cause)) throw cause
      throw new Error('email.accounts gives a domain another id than it has in the database', { cause })
    }
  }

  async #write(accounts: EmailConfiguration['accounts'], now: number, file: string | null): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      for (const table of ['email_account', 'email_domain'] as const) {
        await transaction
          .updateTable(table)
          .set({ managed_by: null })
          .where('managed_by', 'is not', null)
          .execute()
      }
      for (const account of accounts) {
        const { id, domains } = account
        const row = accountRowOf(account, file)
        await transaction
          .insertInto('email_account')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute()
        const beingVerified = await endVerifications(transaction, id, domains)
        await freeNames(transaction, id, domains)
        const rows = domains.map((domain) => ({
          account_id: id,
          ...domain,
          dns_name: dnsNameOf(domain.name) ?? null,
          managed_by: file,
        }))
        const keepsStatus = (row: (typeof rows)[number]) => beingVerified.has(row.id)
        const members = ['name', 'type', 'dns_name', 'managed_by'] as const
        await writeDomains(transaction, rows.filter(keepsStatus), members)
        await writeDomains(
          transaction,
          rows.filter((row) => !keepsStatus(row)),
          [...members, 'status'],
        )
      }
      await beginVerifications(transaction, now)
      await giveWayToConfigured(transaction, now)
    })
  }

  async exists(accountId: string): Promise<boolean> {
    if (!isStorableText(accountId)) return false
    const row = await this.#tables
      .selectFrom('email_account')
      .select('id')
      .where('id', '=', accountId)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * One page of those of the accounts that exist, by name and then by id.
   *
   * @param accountIds undefined for all that exist
   */
  async list(accountIds: readonly string[] | undefined, request: PageRequest): Promise<Page<AccountRecord>> {
    const all = this.#tables.selectFrom('email_account')
    const accounts = accountIds
      ? all.where(isOneOf(this.#kind, 'id', accountIds.filter(isStorableText)))
      : all
    const { total } = await accounts
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const results = await accounts
      .select(['name as accountName', 'id as accountId', 'region', 'status'])
      .orderBy('name', (order) => order.collate(this.#characterOrder))
      .orderBy('id', (order) => order.collate(this.#characterOrder))
      .offset(request.page * request.size)
      .limit(request.size)
      .execute()
    return pageOf(request, total, results)
  }

  /** One page of an account's domains, by name. */
  async domains(accountId: string, request: PageRequest): Promise<Page<DomainRecord>> {
    const ofAccount = this.#tables.selectFrom('email_domain').where('account_id', '=', accountId)
    const { total } = await ofAccount
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const results = await ofAccount
      .select(recordColumns)
      .orderBy('name', (order) => order.collate(this.#characterOrder))
      .offset(request.page * request.size)
      .limit(request.size)
      .execute()
    return pageOf(request, total, results)
  }

  /** One domain of an account, by its id, which is all digits, or else by its name. */
  async domain(accountId: string, idOrName: string): Promise<DomainRecord | undefined> {
    const isId = /^\d+$/.test(idOrName)
    if (isId ? !Number.isSafeInteger(Number(idOrName)) : !isStorableText(idOrName)) return undefined
    const ofAccount = this.#tables.selectFrom('email_domain').where('account_id', '=', accountId)
    const query = isId ? ofAccount.where('id', '=', Number(idOrName)) : ofAccount.where('name', '=', idOrName)
    return query.select(recordColumns).executeTakeFirst()
  }
}

/** Those of the ids that are ids of accounts. */
export async function existingAccounts(
  { kind, tables }: TransactionTables,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tables<EmailTables>()
    .selectFrom('email_account')
    .select('id')
    .where(isOneOf(kind, 'id', accountIds))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const recordColumns = ['id as domainId', 'name as domainName', 'status', 'type'] as const

/** What the configuration says of an account, and what is meant where it says nothing. */
function accountRowOf(
  { id, name = id, region, status = 'ACTIVE' }: EmailConfiguration['accounts'][number],
  file: string | null,
): EmailTables['email_account'] {
  return { id, name, region, status, managed_by: file }
}

/** @param updated what domains that are there already get of the rows */
async function writeDomains(
  transaction: Transaction<EmailTables>,
  rows: readonly EmailTables['email_domain'][],
  updated: readonly (keyof EmailTables['email_domain'])[],
): Promise<void> {
  for (const batch of rowBatches(rows)) {
    await transaction
      .insertInto('email_domain')
      .values(batch)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'id'])
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(updated.map((name) => [name, ref(`excluded.${name}`)])),
          ),
      )
      .execute()
  }
}

/** Takes their names from the domains that get other ones, so that another domain can have them, whatever the order. */
async function freeNames(
  transaction: Transaction<EmailTables>,
  accountId: string,
  domains: EmailConfiguration['accounts'][number]['domains'],
): Promise<void> {
  const ofAccount = transaction.selectFrom('email_domain').where('account_id', '=', accountId)
  const stored = await ofAccount.select(['id', 'name']).execute()
  const names = new Map(domains.map(({ id, name }) => [id, name]))
  for (const { id, name } of stored) {
    if ((names.get(id) ?? name) === name) continue
    await transaction
      .updateTable('email_domain')
      .set({ name: ` ${id}` })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute()
  }
}
