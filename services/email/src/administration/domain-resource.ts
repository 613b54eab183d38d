import {
  type AdministeredResource,
  beginsWith,
  type Clock,
  type PathParameters,
  pluralize,
  RequestRefused,
  selectPage,
  type TransactionTables,
} from '@palisade/platform'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { existingAccounts } from '../accounts.ts'
import { domainStatuses } from '../configuration.ts'
import { dnsNameOf } from '../dns/dns-name.ts'
import type { DomainRow, EmailTables } from '../tables.ts'
import {
  beginVerifications,
  endVerifications,
  giveWayToConfigured,
} from '../verification/provision-verifications.ts'
import { selectVerifications, type Verification } from '../verification/select-verifications.ts'
import { deleteDomains } from './domain-rows.ts'
import { DomainChange, DomainCreation, DomainView, viewOfDomain } from './domain-view.ts'

/**
 * `/email/accounts/:account/domains`: domains, verified as the configuration file has them verified.
 *
 * @param mailHost below which the hosts of MX records lie, where those count
 */
export function domainResource(
  clock: Clock,
  mailHost: string | undefined,
): AdministeredResource<Static<typeof DomainCreation>, Static<typeof DomainChange>> {
  return {
    path: '/email/accounts/:account/domains',
    service: 'email',
    accountParameter: 'account',
    idParameter: 'domain',
    noun: { one: 'email domain', many: 'email domains' },
    item: DomainView,
    creation: DomainCreation,
    change: DomainChange,
    // Names that begin with something, in the order of ids, would have to be sorted: a hundred thousand take too long.
    orders: ['name'],
    filters: {
      name: 'domains whose name begins with this',
      status: `domains of this status: ${domainStatuses.join(', ')}`,
    },
    volatile: ['lookedAt', 'nextLookAt', 'failure'],
    async list(store, { account = '' }, page) {
      await requireAccount(store, account)
      const { characterOrder } = store
      const { name: beginning, status } = page.filters
      const db = store.tables<EmailTables>()
      let query = db.selectFrom('email_domain').selectAll().where('account_id', '=', account)
      if (beginning !== undefined) query = query.where(beginsWith('name', beginning, characterOrder))
      if (status !== undefined) query = query.where('status', '=', status)
      const rows = await selectPage(query, page, {
        columns: { name: { column: 'name', type: 'text' } },
        id: { column: 'id', type: 'number' },
        characterOrder,
      }).execute()
      const ids = rows.map((row) => row.id)
      const verifications =
        ids.length === 0
          ? []
          : await selectVerifications(db)
              .where('email_verification.account_id', '=', account)
              .where('email_verification.domain_id', 'in', ids)
              .execute()
      const byDomain = new Map(verifications.map((one) => [one.domainId, one]))
      return rows.map((row) => ({
        item: viewOfDomain(row, byDomain.get(row.id), mailHost),
        place: { value: row.name, id: row.id },
      }))
    },
    async read(tables, path) {
      const row = await rowNamed(tables, path)
      return row && viewOfDomain(row, await verificationOf(tables, row), mailHost)
    },
    async create({ account = '' }, { id: givenId, name, status = 'UNVERIFIED', type = 'ESS' }) {
      const dns_name = requireDnsName(name)
      const now = clock.now()
      return async (tables) => {
        await requireAccount(tables, account)
        const id = givenId ?? (await nextId(tables, account))
        if (await rowNamed(tables, { account, domain: String(id) })) {
          throw new RequestRefused('conflict', `There is a domain ${id} already.`, { field: 'id' })
        }
        await refuseRepeatedName(tables, account, name)
        const row = { account_id: account, id, name, status, type, dns_name, managed_by: null }
        await tables.tables<EmailTables>().insertInto('email_domain').values(row).execute()
        await verify(tables, row, now)
        return { id: String(id) }
      }
    },
    async update(path, change) {
      const dnsName = change.name === undefined ? undefined : requireDnsName(change.name)
      const now = clock.now()
      return async (tables) => {
        const before = await rowNamed(tables, path)
        if (before === undefined) return
        if (change.name !== undefined && change.name !== before.name) {
          await refuseRepeatedName(tables, before.account_id, change.name)
        }
        const isByDns = (await verificationOf(tables, before)) !== undefined
        const columns = {
          ...before,
          ...change,
          dns_name: dnsName ?? before.dns_name,
          // What DNS gave is no wish of anybody's.
          status: change.status ?? (isByDns ? 'UNVERIFIED' : before.status),
        }
        const db = tables.tables<EmailTables>()
        const goingOn = await endVerifications(db, before.account_id, [columns])
        const row = { ...columns, ...(goingOn.has(before.id) && { status: before.status }) }
        await db
          .updateTable('email_domain')
          .set({ name: row.name, dns_name: row.dns_name, status: row.status, type: row.type })
          .where('account_id', '=', row.account_id)
          .where('id', '=', row.id)
          .execute()
        await verify(tables, row, now)
      }
    },
    remove:
      async ({ account = '', domain = '' }) =>
      async (tables) => {
        await deleteDomains(tables, { accountId: account, domainId: Number(domain) })
      },
    async losses(tables, path) {
      const row = await rowNamed(tables, path)
      if (row === undefined) return []
      const { messages } = await tables
        .tables<EmailTables>()
        .selectFrom('email_mail_count')
        .select(sql<number>`cast(coalesce(sum(messages), 0) as bigint)`.as('messages'))
        .where('account_id', '=', row.account_id)
        .where('domain_id', '=', row.id)
        .executeTakeFirstOrThrow()
      return [
        ...((await verificationOf(tables, row)) ? ['its verification by DNS'] : []),
        ...(messages === 0 ? [] : [`the statistics of ${pluralize(messages, 'message')}`]),
      ]
    },
  }
}

/** Begins the verification of a domain where it needs one, and takes the name from those to which DNS gave it. */
async function verify(tables: TransactionTables, row: DomainRow, now: number): Promise<void> {
  const db = tables.tables<EmailTables>()
  await beginVerifications(db, now, { accountId: row.account_id, domainId: row.id })
  if (row.dns_name !== null) await giveWayToConfigured(db, now, row.dns_name)
}

async function rowNamed(
  { tables }: Pick<TransactionTables, 'tables'>,
  { account = '', domain = '' }: PathParameters,
): Promise<DomainRow | undefined> {
  const id = /^\d+$/.test(domain) ? Number(domain) : Number.NaN
  if (!Number.isSafeInteger(id)) return undefined
  return tables<EmailTables>()
    .selectFrom('email_domain')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
}

async function verificationOf(
  { tables }: Pick<TransactionTables, 'tables'>,
  row: DomainRow,
): Promise<Verification | undefined> {
  return selectVerifications(tables<EmailTables>())
    .where('email_verification.account_id', '=', row.account_id)
    .where('email_verification.domain_id', '=', row.id)
    .executeTakeFirst()
}

async function nextId({ tables }: TransactionTables, account: string): Promise<number> {
  const { largest } = await tables<EmailTables>()
    .selectFrom('email_domain')
    .select(({ fn }) => fn.max('id').as('largest'))
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow()
  return (largest ?? 0) + 1
}

/** @throws RequestRefused not-found */
async function requireAccount(tables: TransactionTables, account: string): Promise<void> {
  if ((await existingAccounts(tables, [account])).has(account)) return
  throw new RequestRefused('not-found', 'There is no such email account.')
}

/** @throws RequestRefused bad-request for a name that DNS cannot have: nobody gets mail there, and it is never verified */
function requireDnsName(name: string): string {
  const dnsName = dnsNameOf(name)
  if (dnsName !== undefined) return dnsName
  throw new RequestRefused('bad-request', 'name must be a name that DNS can have.', { field: 'name' })
}

/** @throws RequestRefused conflict, where another domain of the account has the name */
async function refuseRepeatedName(
  { tables }: TransactionTables,
  account: string,
  name: string,
): Promise<void> {
  const other = await tables<EmailTables>()
    .selectFrom('email_domain')
    .select('id')
    .where('account_id', '=', account)
    .where('name', '=', name)
    .executeTakeFirst()
  if (other === undefined) return
  throw new RequestRefused('conflict', `Domain ${other.id} of the account has this name.`, { field: 'name' })
}
