import {
  type AdministeredResource,
  type AuditTables,
  RequestRefused,
  selectPage,
  withExample,
} from '@palisade/platform'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'

const AnyObject = Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true })

const AuditItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      at: Type.String({ format: 'date-time' }),
      actorKind: Type.String({
        description:
          'operator, token, client, administrator, system, or anonymous for whoever was not let in',
      }),
      actor: Type.String(),
      address: Type.Union([Type.String(), Type.Null()]),
      service: Type.String(),
      action: Type.String(),
      target: Type.String(),
      before: AnyObject,
      after: AnyObject,
      requestId: Type.Union([Type.String(), Type.Null()], {
        description:
          'of the request, as its answer and the log have it; null of entries that earlier releases have written',
      }),
      managedBy: Type.Null(),
    },
    { title: 'AuditEntry' },
  ),
  {
    id: '1c9d7a54-0a8b-4f8b-9f0e-3c0f6b8f2a77',
    at: '2030-01-31T12:00:00.000Z',
    actorKind: 'operator',
    actor: 'ada',
    address: '192.0.2.1',
    service: 'backup',
    action: 'deleteComputer',
    target: '/backup/accounts/main/computers/0001',
    before: { id: '0001', name: 'web' },
    after: null,
    requestId: '5533e7dcbe1b483bad2113d2381be3d4',
    managedBy: null,
  },
)

/** `/audit`: who changed what, in any service. */
export const auditResource: AdministeredResource = {
  path: '/audit',
  service: 'administration',
  idParameter: 'entry',
  noun: { one: 'audit entry', many: 'audit entries' },
  isLong: true,
  item: AuditItem,
  orders: ['at'],
  filters: {
    service: 'of one service',
    actor: 'by one actor',
    action: 'of one action',
    target: 'of one target',
    text: 'that hold this text in their actor, address, action or target; large and small letters of ASCII are alike',
    from: 'from this moment on (RFC 3339)',
    to: 'before this moment (RFC 3339)',
  },
  async list({ tables, characterOrder }, _path, page) {
    const { from, to, text } = page.filters
    let query = tables<AuditTables>().selectFrom('audit_entry').selectAll()
    for (const column of ['service', 'actor', 'action', 'target'] as const) {
      const value = page.filters[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    if (text !== undefined) query = query.where(holds(['actor', 'address', 'action', 'target'], text))
    if (from !== undefined) query = query.where('at', '>=', momentOf(from, 'from'))
    if (to !== undefined) query = query.where('at', '<', momentOf(to, 'to'))
    const rows = await selectPage(query, page, {
      columns: { at: { column: 'at', type: 'number' } },
      id: { column: 'id', type: 'text' },
      characterOrder,
    }).execute()
    return rows.map((row) => ({ item: itemOf(row), place: { value: row.at, id: row.id } }))
  },
  async read({ tables }, { entry = '' }) {
    const row = await tables<AuditTables>()
      .selectFrom('audit_entry')
      .selectAll()
      .where('id', '=', entry)
      .executeTakeFirst()
    return row && itemOf(row)
  },
}

/** The condition that one of some columns holds a text. */
function holds(columns: readonly (keyof AuditTables['audit_entry'])[], text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const conditions = columns.map(
    (column) => sql`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`,
  )
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** An entry as the administration shows it. */
export function itemOf(row: Selectable<AuditTables['audit_entry']>) {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actorKind: row.actor_kind,
    actor: row.actor,
    address: row.address,
    service: row.service,
    action: row.action,
    target: row.target,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
    requestId: row.request_id,
    managedBy: null,
  }
}

function momentOf(text: string, field: string): number {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(at)) return at
  throw new RequestRefused('bad-request', `${field} must be a moment such as 2030-01-31T12:00:00Z.`, {
    field,
  })
}
