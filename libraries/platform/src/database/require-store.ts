import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { singleAddresses } from './postgres-servers.ts'
import type { Store } from './store.ts'

/** What the system says where PostgreSQL cannot be reached, and what to do about it. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct the address',
  ENOTFOUND: 'no such host is known: correct the address',
  EAI_AGAIN: 'the name of the host cannot be looked up: correct the address, or the resolver of this machine',
  ENOENT: 'there is no such socket: start PostgreSQL, or correct the address',
  EHOSTUNREACH: 'there is no way to that host',
  ETIMEDOUT: 'it does not answer: is the address right, and is there a firewall between?',
  '28P01': 'it does not take the user or the password: correct the address',
  '28000': 'it does not let this user in: correct the address, or its pg_hba.conf',
  '3D000': 'it has no database of that name: create it, or correct the address',
  '53300': 'it has no connection left: raise max_connections, or the limit of the user or of the database',
  '57P03': 'it is starting, or recovers: try again when it is ready',
}

/** The same where it answers, and refuses what a server needs. */
const remediesOfRefusals: Readonly<Record<string, string>> = {
  '25006':
    'it takes no changes: it stands by for another one, or the user or the database is read-only (default_transaction_read_only)',
  '42501': 'this user may not change its tables: name their owner, or have them belong to this one',
  '53100': 'its disk is full',
}

/**
 * Asks the database for something, so that one that cannot be used ends the start with a sentence about it.
 *
 * @param database what the configuration says: "embedded", or a URL, whose password is not repeated
 * @throws Error that names the member and says what to do
 */
export async function requireStore(tables: Kysely<unknown>, database: string): Promise<void> {
  try {
    await sql`SELECT 1`.execute(tables)
  } catch (error) {
    throw unusable(database, remedyOf(error, remedies) ?? causesOf(error).at(-1)?.message ?? String(error))
  }
}

/**
 * What to say of an error of a database that answers and does not let a server do its work.
 *
 * @param database as for {@link requireStore}
 * @returns undefined when that is not what has happened
 */
export function storeRefusal(error: unknown, database: string): Error | undefined {
  const remedy = remedyOf(error, remediesOfRefusals)
  return remedy === undefined ? undefined : unusable(database, remedy)
}

function unusable(database: string, reason: string): Error {
  return new Error(`database names ${placeOf(database)}, which cannot be used: ${reason}`)
}

/** A database that takes longer for nothing is of no use to anybody. */
const answerMaxMs = 2_000

/** Whether the database answers a question that needs none of its tables, within two seconds. */
export async function storeAnswers(store: Pick<Store, 'tables'>): Promise<boolean> {
  const answer = sql`SELECT 1`.execute(store.tables()).then(
    () => true,
    () => false,
  )
  const late = new AbortController()
  const timeout = pause(answerMaxMs, false, { signal: late.signal, ref: false }).catch(() => false)
  try {
    return await Promise.race([answer, timeout])
  } finally {
    late.abort()
  }
}

/** Names the database of a configuration without its secrets: "the PostgreSQL at 127.0.0.1:5432/palisade". */
export function placeOf(database: string): string {
  if (database === 'embedded') return 'the SQLite database palisade.sqlite in the data directory'
  const urls = singleAddresses(database).flatMap((single) => URL.parse(single) ?? [])
  const hosts = urls.map(({ host }) => host).join(' or ')
  return urls[0] === undefined ? 'an address that is none' : `the PostgreSQL at ${hosts}${urls[0].pathname}`
}

function remedyOf(error: unknown, remedies: Readonly<Record<string, string>>): string | undefined {
  for (const cause of causesOf(error)) {
    const remedy = 'code' in cause ? remedies[String(cause.code)] : undefined
    if (remedy !== undefined) return remedy
  }
  return undefined
}

/** The error and what caused it; one that has tried several addresses was caused by the first of them. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error, ...causesOf(cause)]
}
