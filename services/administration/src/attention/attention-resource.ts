import { type AdministeredResource, selectPage, severities, withExample } from '@palisade/platform'
import { Type } from 'typebox'
import type { AdministrationTables } from '../tables.ts'
import type { AttentionRow } from './attention-list.ts'

const moment = Type.String({ format: 'date-time' })

const AttentionItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      service: Type.String(),
      server: Type.Union([Type.String(), Type.Null()], { description: 'the server that it is about alone' }),
      condition: Type.String(),
      subject: Type.String(),
      severity: Type.Enum(severities),
      message: Type.String(),
      remedy: Type.String(),
      since: moment,
      resolvedAt: Type.Union([moment, Type.Null()]),
      managedBy: Type.Null(),
    },
    { title: 'Attention' },
  ),
  {
    id: 'f3b0c442-98fc-4c14-9afb-f4c8996fb924',
    service: 'backup',
    server: null,
    condition: 'agent-gone',
    subject: 'computer main/0001',
    severity: 'warning',
    message: 'The agent of web has not been there since 2030-01-31T12:00:00.000Z.',
    remedy: 'systemctl status palisade-agent, on the computer',
    since: '2030-01-31T12:15:00.000Z',
    resolvedAt: null,
    managedBy: null,
  },
)

/** `/attention`: what somebody should do something about, over all services; what has passed with `resolved=true`. */
export const attentionResource: AdministeredResource = {
  path: '/attention',
  service: 'administration',
  isOfServices: true,
  idParameter: 'attention',
  noun: { one: 'attention', many: 'attentions' },
  item: AttentionItem,
  orders: ['since'],
  filters: {
    resolved: 'true for what has passed, false for what lasts; false when left out',
    service: 'of one service',
    severity: 'of one severity',
    condition: 'of one condition',
  },
  async list({ tables, characterOrder }, _path, page) {
    let query = tables<AdministrationTables>()
      .selectFrom('admin_attention')
      .selectAll()
      .where('resolved_at', page.filters.resolved === 'true' ? 'is not' : 'is', null)
    for (const column of ['service', 'severity', 'condition'] as const) {
      const value = page.filters[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    if (page.services !== undefined) query = query.where('service', 'in', page.services)
    const rows = await selectPage(query, page, {
      columns: { since: { column: 'since', type: 'number' } },
      id: { column: 'id', type: 'text' },
      characterOrder,
    }).execute()
    return rows.map((row) => ({ item: itemOf(row), place: { value: row.since, id: row.id } }))
  },
  async read({ tables }, { attention = '' }) {
    const row = await tables<AdministrationTables>()
      .selectFrom('admin_attention')
      .selectAll()
      .where('id', '=', attention)
      .executeTakeFirst()
    return row && itemOf(row)
  },
}

function itemOf(row: AttentionRow) {
  return {
    id: row.id,
    service: row.service,
    server: row.server === '' ? null : row.server,
    condition: row.condition,
    subject: row.subject,
    severity: row.severity,
    message: row.message,
    remedy: row.remedy,
    since: new Date(row.since).toISOString(),
    resolvedAt: row.resolved_at === null ? null : new Date(row.resolved_at).toISOString(),
    managedBy: null,
  }
}
