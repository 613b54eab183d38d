import { join } from 'node:path'
import { openStore, type Store } from '@palisade/platform'
import { startPostgres } from '@palisade/platform/testing'
import { Administration, newFolder, provisioned, Server } from '@palisade/tests'
import { type RawBuilder, sql } from 'kysely'
import { printMemory } from './administration-memory.ts'
import type { Extent } from './extent.ts'
import { compare, median, print, timed } from './harness.ts'

/** A listing in one order, with or without a filter, and what the same page is in SQL. */
interface Listing {
  readonly path: string
  readonly query?: string
  readonly table: string
  /** By which it is ordered; the last one tells rows apart. */
  readonly columns: readonly Column[]
  readonly isDescending?: boolean
  readonly where?: string
  /** Whether there are rows in the middle to begin a page at. */
  readonly isLong?: boolean
}

interface Column {
  readonly name: string
  readonly isText?: boolean
}

const pageSize = 100
/** Rows that one statement adds, since they are in memory until it ends. */
const batchRows = 50_000
const account = 'acme'

const at = [{ name: 'at' }, { name: 'id', isText: true }]
const computers = `/backup/accounts/${account}/computers`
const ofAccount = `account_id = '${account}' and deleted_at is null`

const listings: readonly Listing[] = [
  { path: '/audit', table: 'audit_entry', columns: at, isLong: true },
  { path: '/audit', query: 'order=-at', table: 'audit_entry', columns: at, isDescending: true, isLong: true },
  ...[
    ['service', 'email'],
    ['actor', 'operator-77'],
    ['action', 'updateComputer'],
    ['target', '/backup/accounts/acme/computers/7'],
  ].map(([filter, value]) => ({
    path: '/audit',
    query: `order=-at&${filter}=${encodeURIComponent(value ?? '')}`,
    table: 'audit_entry',
    columns: at,
    isDescending: true,
    where: `${filter} = '${value}'`,
    isLong: filter === 'service',
  })),
  {
    path: '/audit',
    query: 'order=-at&service=email&actor=nobody',
    table: 'audit_entry',
    columns: at,
    isDescending: true,
    where: "service = 'email' and actor = 'nobody'",
  },
  {
    path: '/operators',
    query: 'order=username',
    table: 'admin_operator',
    columns: [{ name: 'username', isText: true }],
    isLong: true,
  },
  {
    path: '/operators',
    query: 'order=-createdAt',
    table: 'admin_operator',
    columns: [{ name: 'created_at' }, { name: 'username', isText: true }],
    isDescending: true,
    isLong: true,
  },
  {
    path: '/operators',
    query: 'username=operator-7',
    table: 'admin_operator',
    columns: [{ name: 'username', isText: true }],
    where: "username >= 'operator-7' and username < 'operator-8'",
  },
  {
    path: '/attention',
    table: 'admin_attention',
    columns: [{ name: 'since' }, { name: 'id', isText: true }],
    where: 'resolved_at is null',
  },
  {
    path: '/attention',
    query: 'resolved=true&order=-since',
    table: 'admin_attention',
    columns: [{ name: 'since' }, { name: 'id', isText: true }],
    where: 'resolved_at is not null',
    isDescending: true,
    isLong: true,
  },
  {
    path: '/attention',
    query: 'resolved=true&condition=server-down&order=-since',
    table: 'admin_attention',
    columns: [{ name: 'since' }, { name: 'id', isText: true }],
    where: "resolved_at is not null and condition = 'server-down'",
    isDescending: true,
  },
  {
    path: computers,
    query: 'order=id',
    table: 'backup_computer',
    columns: [{ name: 'id', isText: true }],
    where: ofAccount,
    isLong: true,
  },
  {
    path: computers,
    query: 'order=-name',
    table: 'backup_computer',
    columns: [
      { name: 'name', isText: true },
      { name: 'id', isText: true },
    ],
    where: ofAccount,
    isDescending: true,
    isLong: true,
  },
  {
    path: computers,
    query: 'name=Computer%207',
    table: 'backup_computer',
    columns: [{ name: 'id', isText: true }],
    where: `${ofAccount} and name >= 'Computer 7' and name < 'Computer 8'`,
  },
  {
    path: computers,
    query: 'deleted=true',
    table: 'backup_computer',
    columns: [{ name: 'id', isText: true }],
    where: `account_id = '${account}' and deleted_at is not null`,
  },
  {
    path: '/backup/accounts',
    table: 'backup_account',
    columns: [{ name: 'id', isText: true }],
    where: 'deleted_at is null',
  },
]

/** Each kind of page of the administration over long lists, beside the same page by SQL that was written by hand. */
export async function administrationPages(extent: Extent): Promise<void> {
  await pagesOf('embedded', extent)
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error('PostgreSQL is not installed')
  try {
    await pagesOf(await postgres.newDatabase(), extent)
  } finally {
    await postgres.stop()
  }
}

/** @param database as the configuration names it */
async function pagesOf(database: string, extent: Extent): Promise<void> {
  const configuration = { ...provisioned, database }
  const folder = newFolder()
  const first = await Server.start(folder, configuration)
  // It has made the tables; what the next one shows first is cold.
  const store = openStore(database, join(folder, 'data'))
  try {
    await first.program.stop()
    await fill(store, extent.administered)
    const server = await first.again()
    try {
      await measure(server, store, extent)
    } finally {
      await server.remove()
    }
  } finally {
    await store.close()
  }
}

async function measure(server: Server, store: Store, extent: Extent): Promise<void> {
  const administration = await Administration.connect(server)
  const read = async (address: string) => {
    const reply = await administration.call('GET', address)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${text}`)
    return text
  }
  const ask = async (address: string) => {
    await read(address)
  }
  const cold: string[] = []
  for (const listing of listings) {
    const address = addressOf(listing)
    const title = `${store.kind}: ${address}`
    cold.push(`${(1000 * (await timed(() => ask(address)))).toFixed(1)} ms  ${address}`)
    await comparePages(title, extent, () => ask(address), pageInSql(store, listing))
    if (listing.isLong !== true) continue
    const place = await middleOf(store, listing)
    const middle = `${address}${address.includes('?') ? '&' : '?'}after=${cursorOf(listing, place)}`
    const after = pageInSql(store, listing, place)
    await comparePages(`${title}, in the middle`, extent, () => ask(middle), after)
  }
  console.log(`\nfirst time of each page after a start, ${store.kind}:`)
  for (const line of cold) console.log(`- ${line}`)
  await printMemory(
    { pid: server.program.pid, title: store.kind },
    ['/audit', '/operators', computers].map((path) => `${path}?limit=1000`),
    async (address) => JSON.parse(await read(address)),
  )
  const peakBytes = server.program.peakMemoryBytes()
  console.log(`- peak memory of the server: ${(peakBytes / 2 ** 20).toFixed(0)} MiB`)
}

async function comparePages(
  title: string,
  extent: Extent,
  ours: () => Promise<void>,
  theirs: () => Promise<void>,
): Promise<void> {
  const comparison = {
    title,
    unit: 'ms',
    peer: 'plain SQL',
    moreIsBetter: false,
    contenders: [
      { name: 'palisade', run: () => medianMs(ours, extent.administered.calls) },
      { name: 'plain SQL', run: () => medianMs(theirs, extent.administered.calls) },
    ],
  }
  print(comparison, await compare(comparison, extent))
}

async function medianMs(work: () => Promise<void>, calls: number): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < calls; call++) times.push(1000 * (await timed(work)))
  return median(times)
}

function addressOf({ path, query }: Listing): string {
  return query === undefined ? path : `${path}?${query}`
}

/** A page by hand: its rows, and as JSON. */
function pageInSql(store: Store, listing: Listing, place?: readonly unknown[]): () => Promise<void> {
  const than = sql.raw(listing.isDescending === true ? '<' : '>')
  const after =
    place === undefined
      ? sql`true`
      : sql`(${sql.join(listing.columns.map((column) => inOrder(store, column)))}) ${than} (${sql.join(place)})`
  const query = sql`select * from ${sql.table(listing.table)} where ${condition(listing)} and ${after}
    order by ${ordering(store, listing)} limit ${sql.lit(pageSize + 1)}`
  return async () => {
    const { rows } = await query.execute(store.tables())
    JSON.stringify(rows)
  }
}

/** The values by which the row in the middle is ordered. */
async function middleOf(store: Store, listing: Listing): Promise<readonly unknown[]> {
  const { rows: counted } = await sql<{ count: number | string }>`select count(*) as count
    from ${sql.table(listing.table)} where ${condition(listing)}`.execute(store.tables())
  const offset = Math.floor(Number(counted[0]?.count) / 2)
  const names = listing.columns.map(({ name }) => name)
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(names.map((name) => sql.ref(name)))}
    from ${sql.table(listing.table)} where ${condition(listing)}
    order by ${ordering(store, listing)} limit 1 offset ${sql.lit(offset)}`.execute(store.tables())
  return names.map((name) => rows[0]?.[name])
}

/** As the administration writes the `next` of a page. */
function cursorOf(listing: Listing, place: readonly unknown[]): string {
  const order = new URLSearchParams(listing.query).get('order') ?? 'at'
  return Buffer.from(JSON.stringify([order, place[0], place.at(-1)])).toString('base64url')
}

function condition({ where = 'true' }: Listing): RawBuilder<unknown> {
  return sql.raw(where)
}

function ordering(store: Store, { columns, isDescending = false }: Listing): RawBuilder<unknown> {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql.join(columns.map((column) => sql`${inOrder(store, column)} ${direction}`))
}

function inOrder(store: Store, { name, isText = false }: Column): RawBuilder<unknown> {
  return isText && store.kind === 'postgres' ? sql`${sql.ref(name)} collate "C"` : sql.ref(name)
}

/** Adds entries, operators, computers and conditions that have passed. */
async function fill(
  store: Store,
  { auditEntries, operators, computers, conditions }: Extent['administered'],
): Promise<void> {
  const id = sql.raw(store.kind === 'postgres' ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))')
  const rowsOf: readonly [number, (from: number, to: number) => RawBuilder<unknown>][] = [
    [
      auditEntries,
      (from, to) => sql`insert into audit_entry
        (id, at, actor_kind, actor, address, service, action, target, before, after)
        ${numbers(from, to)} select ${id}, 1700000000000 + 1000 * i, 'operator', 'operator-' || (i % 500), '192.0.2.1',
          case i % 4 when 0 then 'backup' when 1 then 'email' when 2 then 'awareness' else 'administration' end,
          case i % 3 when 0 then 'updateComputer' when 1 then 'createDomain' else 'logIn' end,
          '/backup/accounts/acme/computers/' || (i % 1000), '{"name":"before"}', '{"name":"after"}' from numbers`,
    ],
    [
      operators,
      (from, to) => sql`insert into admin_operator
        (id, username, display_name, grants, is_disabled, created_at)
        ${numbers(from, to)} select ${id}, 'operator-' || i, 'Operator ' || i, '[{"role":"auditor"}]', 0,
          1700000000000 + i from numbers`,
    ],
    [
      computers,
      (
        from,
        to,
      ) => sql`insert into backup_computer (account_id, id, name, enrolment_digest, credential_digest)
        ${numbers(from, to)} select ${sql.lit(account)}, 'computer-' || i, 'Computer ' || i, ${id}, ${id} from numbers`,
    ],
    [
      conditions,
      (from, to) => sql`insert into admin_attention
        (id, server, service, condition, subject, severity, message, remedy, since, seen_at, resolved_at)
        ${numbers(from, to)} select ${id}, '', 'backup', 'agent-gone', 'computer acme/' || i, 'warning', 'It is gone.',
          'start it', 1700000000000 + i, 1700000000000 + i, 1700000000001 + i from numbers`,
    ],
  ]
  for (const [count, rows] of rowsOf) {
    for (let from = 1; from <= count; from += batchRows) {
      await rows(from, Math.min(from + batchRows - 1, count)).execute(store.tables())
    }
  }
  await sql`analyze`.execute(store.tables())
}

function numbers(from: number, to: number): RawBuilder<unknown> {
  return sql`with recursive numbers(i) as (
    select ${sql.lit(from)} union all select i + 1 from numbers where i < ${sql.lit(to)})`
}
