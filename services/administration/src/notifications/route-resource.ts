import { randomUUID } from 'node:crypto'
import {
  type AdministeredResource,
  type Clock,
  RequestRefused,
  selectPage,
  type TransactionTables,
  withExample,
} from '@palisade/platform'
import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import { isTimeZone, type RouteConfiguration, routeMembers } from '../notification-configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import { readRoute } from './routes.ts'

const { channels, severities, services, quietHours, groupSeconds } = routeMembers
const groupSecondsDefault = 30

const RouteCreation = withExample(
  Type.Object(
    { channels, severities, services, quietHours, groupSeconds: Type.Optional(groupSeconds) },
    { additionalProperties: false, title: 'RouteCreation' },
  ),
  { channels: ['ops'], severities: ['critical'] },
)

const orNull = <Schema extends typeof severities | typeof services | typeof quietHours>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const RouteChange = withExample(
  Type.Object(
    {
      channels: Type.Optional(channels),
      severities: orNull(severities),
      services: orNull(services),
      quietHours: orNull(quietHours),
      groupSeconds: Type.Optional(groupSeconds),
    },
    { additionalProperties: false, title: 'RouteChange', description: 'null takes a member away' },
  ),
  { services: ['backup'] },
)

const RouteItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      ...routeMembers,
      createdAt: Type.String({ format: 'date-time' }),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'Route' },
  ),
  {
    id: '3c0b7f2e-5f0a-4c59-8a53-7b8f5c8d3f10',
    channels: ['ops'],
    severities: ['critical'],
    groupSeconds: 30,
    createdAt: '2030-01-31T12:00:00.000Z',
    managedBy: null,
  },
)

/** `/routes`: which conditions are told to which channels. */
export function routeResource(
  clock: Clock,
): AdministeredResource<Static<typeof RouteCreation>, Static<typeof RouteChange>> {
  return {
    path: '/routes',
    service: 'notifications',
    idParameter: 'route',
    noun: { one: 'route', many: 'routes' },
    item: RouteItem,
    creation: RouteCreation,
    change: RouteChange,
    orders: ['createdAt'],
    // Each start writes down what a file says anew.
    volatile: ['createdAt'],
    async list({ tables, characterOrder }, _path, page) {
      const rows = await selectPage(
        tables<AdministrationTables>().selectFrom('admin_route').selectAll(),
        page,
        {
          columns: { createdAt: { column: 'created_at', type: 'number' } },
          id: { column: 'id', type: 'text' },
          characterOrder,
        },
      ).execute()
      return rows.map((row) => ({ item: itemOf(row), place: { value: row.created_at, id: row.id } }))
    },
    async read({ tables }, { route = '' }) {
      const row = await rowOf(tables, route)
      return row && itemOf(row)
    },
    create: async (_path, body) => async (tables) => {
      const route = { groupSeconds: groupSecondsDefault, ...body }
      await refuseRoute(tables, route)
      const id = randomUUID()
      await tables
        .tables<AdministrationTables>()
        .insertInto('admin_route')
        .values({ id, definition: JSON.stringify(route), created_at: clock.now(), managed_by: null })
        .execute()
      return { id }
    },
    update:
      async ({ route = '' }, change) =>
      async (tables) => {
        const row = await rowOf(tables.tables, route)
        if (row === undefined) return
        const members = Object.entries({ ...readRoute(row.definition), ...change })
        const definition = JSON.stringify(Object.fromEntries(members.filter(([, value]) => value !== null)))
        await refuseRoute(tables, readRoute(definition))
        await tables
          .tables<AdministrationTables>()
          .updateTable('admin_route')
          .set({ definition })
          .where('id', '=', route)
          .execute()
      },
    remove:
      async ({ route = '' }) =>
      async ({ tables }) => {
        await tables<AdministrationTables>().deleteFrom('admin_route').where('id', '=', route).execute()
      },
  }
}

function rowOf(tables: TransactionTables['tables'], id: string) {
  return tables<AdministrationTables>()
    .selectFrom('admin_route')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
}

/** @throws RequestRefused for channels that are not there, and for no time zone */
async function refuseRoute({ tables }: TransactionTables, route: RouteConfiguration): Promise<void> {
  const { quietHours } = route
  if (quietHours && !isTimeZone(quietHours.timeZone)) {
    throw new RequestRefused('bad-request', 'timeZone must be a time zone such as Europe/Berlin.', {
      field: 'quietHours.timeZone',
    })
  }
  const rows = await tables<AdministrationTables>()
    .selectFrom('admin_channel')
    .select('name')
    .where('settings', 'is not', null)
    .where('name', 'in', route.channels)
    .execute()
  const missing = route.channels.find((name) => !rows.some((row) => row.name === name))
  if (missing === undefined) return
  throw new RequestRefused('bad-request', `There is no channel ${missing}.`, { field: 'channels' })
}

function itemOf(row: Selectable<AdministrationTables['admin_route']>) {
  return {
    id: row.id,
    ...readRoute(row.definition),
    createdAt: new Date(row.created_at).toISOString(),
    managedBy: row.managed_by,
  }
}
