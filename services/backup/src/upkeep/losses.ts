import { clientsWithAccount, pluralize, type Store } from '@palisade/platform'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { BackupTables } from '../tables.ts'

/** One computer, or all computers of an account. */
export interface ComputerOrAccount {
  readonly accountId: string
  readonly computerId?: string
}

/**
 * What goes with a computer or account, and when, in sentences.
 *
 * @param when.atMs when it would be deleted, milliseconds since 1970
 * @param when.graceMs for how long it could be taken back
 */
export async function lossesOf(
  tables: Pick<Store, 'tables'>,
  whose: ComputerOrAccount,
  { atMs, graceMs }: { readonly atMs: number; readonly graceMs: number },
): Promise<string[]> {
  const db = tables.tables<BackupTables>()
  const { count } = db.fn
  const revisions = await db
    .selectFrom('backup_revision')
    .select(({ fn, eb }) => [
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string | null>(eb('chunk_count', '*', eb.ref('chunk_size_bytes'))).as('bytes'),
      fn.sum<number | string | null>('is_pinned').as('pinned'),
    ])
    .where(isOf(whose))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const sets = await db
    .selectFrom('backup_set')
    .select(count<number | string>('id').as('count'))
    .where(isOf(whose))
    .executeTakeFirstOrThrow()
  const tasks = await db
    .selectFrom('backup_task')
    .select(count<number | string>('id').as('count'))
    .where(isOf(whose))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  const computers = await db
    .selectFrom('backup_computer')
    .select(count<number | string>('id').as('count'))
    .where('account_id', '=', whose.accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const [running] = await runningRestores(db, whose)
  const { accountId } = whose
  const clients =
    whose.computerId === undefined ? await clientsWithAccount(tables, { service: 'backup', accountId }) : []
  const until = new Date(atMs + graceMs).toISOString()
  const bytes = Number(revisions.bytes ?? 0)
  const pinned = Number(revisions.pinned ?? 0)
  const parts = [
    ...(running ? [`nothing while a restore runs: ${refusalOf(running)}`] : []),
    ...(whose.computerId === undefined ? someOf(computers.count, 'computer') : []),
    ...someOf(
      revisions.count,
      'revision',
      `, of ${pluralize(bytes, 'byte')} as they were backed up${pinned === 0 ? '' : `, ${pinned} of them pinned`}`,
    ),
    ...someOf(sets.count, 'backup set'),
    ...someOf(
      tasks.count,
      'unfinished backup or restore',
      ', cancelled at once',
      'unfinished backups and restores',
    ),
    whose.computerId === undefined
      ? 'the connections of its agents, at once'
      : 'the connection of its agent, at once',
    ...clients.map(({ clientId }) => `what API client ${clientId} may ask about the account`),
  ]
  return [
    ...parts,
    graceMs === 0
      ? 'what is in the vault is removed at once and cannot be taken back'
      : `what is in the vault is removed after ${until}, and can be taken back until then`,
  ]
}

/** The condition that a row is of the computer, or of one of the account's. */
export function isOf({ accountId, computerId }: ComputerOrAccount) {
  return computerId === undefined
    ? sql<SqlBool>`account_id = ${accountId}`
    : sql<SqlBool>`account_id = ${accountId} and computer_id = ${computerId}`
}

/** A restore that runs and whose end nobody has wished. */
export function runningRestores(tables: Kysely<BackupTables>, whose: ComputerOrAccount) {
  return tables
    .selectFrom('backup_task')
    .select(['id', 'computer_id'])
    .where(isOf(whose))
    .where('kind', '=', 'restore')
    .where('state', '=', 'RUNNING')
    .where('ended_at', 'is', null)
    .limit(1)
    .execute()
}

/** Why a computer with such a restore is not deleted. */
export function refusalOf({
  id,
  computer_id,
}: {
  readonly id: string
  readonly computer_id: string
}): string {
  return `Restore ${id} of computer ${computer_id} has not ended: wait for it, or cancel it.`
}

/** "2 revisions", with what is said of them; nothing where there are none. */
function someOf(count: number | string, one: string, more = '', many?: string): string[] {
  return Number(count) === 0 ? [] : [`${pluralize(Number(count), one, many)}${more}`]
}
