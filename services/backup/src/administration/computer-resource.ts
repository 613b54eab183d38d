import {
  type AdministeredResource,
  beginsWith,
  type Clock,
  newSecret,
  type PathParameters,
  RequestRefused,
  selectPage,
  withExample,
} from '@palisade/platform'
import type { Kysely, Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { AgentAccess } from '../agents/agent-access.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import { agentAccessOf } from '../computers/computers.ts'
import type { EnrolmentDigests } from '../computers/enrolment-digest.ts'
import { idSchema } from '../configuration.ts'
import type { Adoption } from '../revisions/adopt-revisions.ts'
import type { BackupTables, ComputerRow } from '../tables.ts'
import type { Deletion } from '../upkeep/deletion.ts'
import type { DeletedAgents } from './deleted-agents.ts'
import { dateOrNull, deletedFilter, deletionMembers, deletionOf, showsDeleted } from './deleted-filter.ts'

const nameSchema = Type.String({ minLength: 1, maxLength: 255, examples: ['Web server'] })
const time = Type.Union([Type.String(), Type.Null()], { description: 'by the agent; null when it never was' })

const ComputerItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      account: Type.String(),
      name: Type.String(),
      online: Type.Boolean({ description: 'whether its agent is connected' }),
      lastSeenAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      agentVersion: time,
      hostName: time,
      platform: time,
      isEnrolmentKeyOpen: Type.Boolean({ description: 'whether an agent can enrol with the enrolment key' }),
      isEnrolled: Type.Boolean({ description: 'whether an agent has a credential' }),
      isEndToEnd: Type.Boolean({ description: 'whether its backups are sealed with a key of its own' }),
      hasBackupSet: Type.Boolean({
        description:
          'whether a backup set says what of it is backed up, and when; without one nothing is by itself',
      }),
      ...deletionMembers,
    },
    { title: 'Computer' },
  ),
  {
    id: 'web-01',
    account: 'acme',
    name: 'Web server',
    online: true,
    lastSeenAt: '2030-01-08T10:15:00.000Z',
    agentVersion: '0.1.0',
    hostName: 'web-01.example.org',
    platform: 'linux',
    isEnrolmentKeyOpen: true,
    isEnrolled: true,
    isEndToEnd: false,
    hasBackupSet: true,
    deletedAt: null,
    purgeAt: null,
    managedBy: null,
  },
)

const EnrolmentKey = withExample(
  Type.Object({
    enrolmentKey: Type.String({ description: 'what the agent enrols with; shown this once' }),
  }),
  { enrolmentKey: 'xK0r7Jc2v4w1Qe8sZt5yLmN3pBf6HdGu9aXiRoTjWqE' },
)

const ComputerCreation = Type.Object(
  { id: { ...idSchema, examples: ['web-01'] }, name: nameSchema },
  { additionalProperties: false, title: 'ComputerCreation' },
)

const ComputerChange = Type.Object(
  { name: Type.Optional(nameSchema) },
  { additionalProperties: false, title: 'ComputerChange' },
)

interface ComputerResourceDependencies {
  readonly digests: EnrolmentDigests
  readonly links: AgentLinks
  readonly access: AgentAccess
  readonly deletion: Deletion
  readonly deletedAgents: DeletedAgents
  readonly adoption: Adoption
  readonly clock: Clock
}

/** `/backup/accounts/:account/computers`: what is backed up, and which agents are let in. */
export function computerResource(
  deps: ComputerResourceDependencies,
): AdministeredResource<Static<typeof ComputerCreation>, Static<typeof ComputerChange>> {
  const { digests, links, access, deletion, deletedAgents, adoption, clock } = deps
  const itemOf = (
    row: Selectable<ComputerRow>,
    withSets: ReadonlySet<string>,
  ): Static<typeof ComputerItem> => {
    const online = links.isOnline({ accountId: row.account_id, computerId: row.id })
    return {
      id: row.id,
      account: row.account_id,
      name: row.name,
      online,
      lastSeenAt: dateOrNull(online ? clock.now() : row.last_seen_at),
      agentVersion: row.agent_version,
      hostName: row.host_name,
      platform: row.platform,
      ...agentAccessOf(row),
      isEndToEnd: row.end_to_end_key_check !== null,
      hasBackupSet: withSets.has(row.id),
      ...deletionOf(row),
    }
  }

  return {
    path: '/backup/accounts/:account/computers',
    service: 'backup',
    accountParameter: 'account',
    idParameter: 'computer',
    noun: { one: 'computer', many: 'computers' },
    item: ComputerItem,
    secrets: EnrolmentKey,
    creation: ComputerCreation,
    change: ComputerChange,
    orders: ['id', 'name'],
    filters: { ...deletedFilter, name: 'computers whose name begins with this' },
    volatile: ['online', 'lastSeenAt', 'agentVersion', 'hostName', 'platform', 'hasBackupSet'],
    async list({ tables, characterOrder }, { account = '' }, page) {
      const db = tables<BackupTables>()
      await requireAccount(db, account)
      const { name: beginning } = page.filters
      const all = db
        .selectFrom('backup_computer')
        .selectAll()
        .where('account_id', '=', account)
        .where('deleted_at', showsDeleted(page.filters) ? 'is not' : 'is', null)
      const query = beginning === undefined ? all : all.where(beginsWith('name', beginning, characterOrder))
      const rows = await selectPage(query, page, {
        columns: { id: { column: 'id', type: 'text' }, name: { column: 'name', type: 'text' } },
        id: { column: 'id', type: 'text' },
        characterOrder,
      }).execute()
      const withSets = await withBackupSets(db, account, rows)
      return rows.map((row) => ({ item: itemOf(row, withSets), place: { value: row.name, id: row.id } }))
    },
    async read({ tables }, path) {
      const db = tables<BackupTables>()
      const row = await rowOf(db, path)
      return row && itemOf(row, await withBackupSets(db, row.account_id, [row]))
    },
    async create({ account = '' }, { id, name }) {
      const enrolmentKey = newSecret()
      const enrolment_digest = digests.of({ accountId: account, computerId: id }, enrolmentKey)
      return async ({ tables }) => {
        const db = tables<BackupTables>()
        const { deleted_at } = await requireAccount(db, account)
        if (deleted_at !== null)
          throw new RequestRefused('conflict', 'This account is deleted: take it back first.')
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('backup_computer')
          .values({ account_id: account, id, name, enrolment_digest })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 0n) {
          throw new RequestRefused('conflict', `There is a computer ${id} already, or it is deleted.`, {
            field: 'id',
          })
        }
        return { id, secrets: { enrolmentKey } }
      }
    },
    update:
      async (path, { name }) =>
      async ({ tables }) => {
        await requireExisting(tables<BackupTables>(), path)
        if (name !== undefined) await updating(tables<BackupTables>(), path).set({ name }).execute()
      },
    remove:
      async (path) =>
      ({ tables }) =>
        deletion.deleteComputer(tables<BackupTables>(), idOf(path)),
    losses: (tables, path) => deletion.losses(tables, idOf(path)),
    actions: [
      {
        name: 'enrolment-key',
        summary:
          'Make a new enrolment key; the former one ends, and an agent that has enrolled keeps its credential',
        secrets: EnrolmentKey,
        async perform(path) {
          const enrolmentKey = newSecret()
          const enrolment_digest = digests.of(idOf(path), enrolmentKey)
          return async ({ tables }) => {
            await requireExisting(tables<BackupTables>(), path)
            await updating(tables<BackupTables>(), path).set({ enrolment_digest }).execute()
            return { enrolmentKey }
          }
        },
      },
      {
        name: 'revoke',
        summary:
          'Shut the agent out at once, end the enrolment key, and have all backups of the computer verified',
        isForManaged: true,
        perform:
          async (path) =>
          async ({ tables }) => {
            await requireExisting(tables<BackupTables>(), path)
            await access.revoke(idOf(path), tables<BackupTables>())
            return undefined
          },
      },
      {
        name: 'undelete',
        summary: 'Take a deleted computer back, with its agent, its sets and all revisions',
        perform:
          async (path) =>
          async ({ tables }) => {
            await deletion.undeleteComputer(tables<BackupTables>(), idOf(path))
            return undefined
          },
      },
    ],
    async afterWrite(path, change) {
      if (change === 'create') await adoption.ofAdded()
      if (change === 'revoke') access.revoked(idOf(path))
      if (change === 'delete') await deletedAgents.shutOut(idOf(path))
    },
  }
}

function idOf({ account = '', computer = '' }: PathParameters) {
  return { accountId: account, computerId: computer }
}

/** @throws RequestRefused not-found */
async function requireAccount(db: Kysely<BackupTables>, account: string) {
  const row = await db
    .selectFrom('backup_account')
    .select('deleted_at')
    .where('id', '=', account)
    .executeTakeFirst()
  if (row === undefined) throw new RequestRefused('not-found', 'There is no such account.')
  return row
}

/** @throws RequestRefused conflict when the computer is deleted */
async function requireExisting(db: Kysely<BackupTables>, path: PathParameters): Promise<void> {
  const row = await rowOf(db, path)
  if (row?.deleted_at === null) return
  throw new RequestRefused('conflict', 'This computer is deleted: take it back first.')
}

function rowOf(db: Kysely<BackupTables>, { account = '', computer = '' }: PathParameters) {
  return db
    .selectFrom('backup_computer')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', computer)
    .executeTakeFirst()
}

/** Those of some computers of an account that have a backup set, by their ids. */
async function withBackupSets(
  db: Kysely<BackupTables>,
  account: string,
  computers: readonly Pick<ComputerRow, 'id'>[],
): Promise<ReadonlySet<string>> {
  if (computers.length === 0) return new Set()
  const ids = computers.map(({ id }) => id)
  const sets = await db
    .selectFrom('backup_set')
    .select('computer_id')
    .distinct()
    .where('account_id', '=', account)
    .where('computer_id', 'in', ids)
    .execute()
  return new Set(sets.map(({ computer_id }) => computer_id))
}

function updating(db: Kysely<BackupTables>, { account = '', computer = '' }: PathParameters) {
  return db.updateTable('backup_computer').where('account_id', '=', account).where('id', '=', computer)
}
