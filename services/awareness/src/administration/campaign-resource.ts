import {
  type AdministeredItem,
  type AdministeredResource,
  beginsWith,
  isDuplicate,
  RequestRefused,
  selectPage,
  type TransactionTables,
  withExample,
} from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { type Campaign, type CampaignRecord, campaignOf, rowOf } from '../campaigns.ts'
import { campaignStatuses } from '../configuration.ts'
import type { AwarenessTables, CampaignRow } from '../tables.ts'
import { millisecondsOf } from '../timestamp.ts'

const id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'the one after the largest when left out',
  examples: [7],
})
const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Parcel on its way'] })
const status = Type.Enum(campaignStatuses)
const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [0] })
const moment = Type.Union(
  [Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' }), Type.Null()],
  { description: 'a moment in UTC, or null where it has not come yet', examples: ['2030-01-31 23:59:59'] },
)

/** What may be left out of a new campaign, and what is meant then. */
const Optionals = Type.Object({
  status: Type.Optional(status),
  created: Type.Optional(moment),
  launched: Type.Optional(moment),
  completed: Type.Optional(moment),
  sent: Type.Optional(count('messages that were sent')),
  opened: Type.Optional(count('messages that were opened')),
  clicked: Type.Optional(count('messages in which a link was followed')),
  submitted: Type.Optional(count('messages that were answered with data')),
  reported: Type.Optional(count('messages that were reported')),
})
const defaults = {
  status: 'Created',
  created: null,
  launched: null,
  completed: null,
  sent: 0,
  opened: 0,
  clicked: 0,
  submitted: 0,
  reported: 0,
} as const satisfies Omit<Campaign, 'id' | 'name'>

const CampaignView = withExample(
  Type.Object(
    {
      id,
      name,
      ...Type.Required(Optionals).properties,
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'AwarenessCampaign' },
  ),
  {
    ...defaults,
    id: 7,
    name: 'Parcel on its way',
    status: 'In progress',
    launched: '2030-01-31 23:59:59',
    sent: 120,
    managedBy: null,
  },
)

const CampaignCreation = Type.Object(
  { id: Type.Optional(id), name, ...Optionals.properties },
  { additionalProperties: false, title: 'AwarenessCampaignCreation' },
)

const CampaignChange = Type.Object(
  { name: Type.Optional(name), ...Optionals.properties },
  { additionalProperties: false, title: 'AwarenessCampaignChange' },
)

/** `/awareness/campaigns`: the campaigns that the service lists. */
export const campaignResource: AdministeredResource<
  Static<typeof CampaignCreation>,
  Static<typeof CampaignChange>
> = {
  path: '/awareness/campaigns',
  service: 'awareness',
  idParameter: 'campaign',
  noun: { one: 'awareness campaign', many: 'awareness campaigns' },
  item: CampaignView,
  creation: CampaignCreation,
  change: CampaignChange,
  orders: ['id', 'name'],
  filters: {
    name: 'campaigns whose name begins with this; in the order of names',
    status: `campaigns that have come so far: ${campaignStatuses.join(', ')}`,
  },
  async list({ tables, characterOrder }, _path, page) {
    const { name: beginning, status } = page.filters
    let query = tables<AwarenessTables>().selectFrom('awareness_campaign').selectAll()
    if (beginning !== undefined) query = query.where(beginsWith('name', beginning, characterOrder))
    if (status !== undefined) query = query.where('status', '=', status)
    const byId = { column: 'id', type: 'number' } as const
    const rows = await selectPage(query, page, {
      columns: { id: byId, name: { column: 'name', type: 'text' } },
      id: byId,
      characterOrder,
    }).execute()
    return rows.map((row) => ({ item: viewOf(row), place: { value: row.name, id: row.id } }))
  },
  async read(tables, { campaign = '' }) {
    const row = await rowNamed(tables, campaign)
    return row && viewOf(row)
  },
  async create(_path, body) {
    refuseMoments(body)
    return async ({ tables }) => {
      const db = tables<AwarenessTables>()
      const { id = await nextId(tables), ...members } = body
      const row = rowOf({ ...defaults, ...members, id }, null)
      try {
        await db.insertInto('awareness_campaign').values(row).execute()
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new RequestRefused('conflict', `There is a campaign ${id} already.`, { field: 'id' })
      }
      return { id: String(id) }
    }
  },
  async update({ campaign = '' }, change) {
    refuseMoments(change)
    return async (tables) => {
      const before = await rowNamed(tables, campaign)
      if (before === undefined) return
      const { id, ...set } = rowOf({ ...campaignOf(before), ...change }, null)
      await tables
        .tables<AwarenessTables>()
        .updateTable('awareness_campaign')
        .set(set)
        .where('id', '=', id)
        .execute()
    }
  },
  remove:
    async ({ campaign = '' }) =>
    async ({ tables }) => {
      await tables<AwarenessTables>()
        .deleteFrom('awareness_campaign')
        .where('id', '=', Number(campaign))
        .execute()
    },
  async losses(tables, { campaign = '' }) {
    const row = await rowNamed(tables, campaign)
    return [`what became of ${row?.sent.toLocaleString('en-US')} messages`]
  },
}

async function rowNamed(
  { tables }: Pick<TransactionTables, 'tables'>,
  campaign: string,
): Promise<CampaignRow | undefined> {
  const id = /^\d+$/.test(campaign) ? Number(campaign) : Number.NaN
  if (!Number.isSafeInteger(id)) return undefined
  return tables<AwarenessTables>()
    .selectFrom('awareness_campaign')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
}

async function nextId(tables: TransactionTables['tables']): Promise<number> {
  const { largest } = await tables<AwarenessTables>()
    .selectFrom('awareness_campaign')
    .select(({ fn }) => fn.max('id').as('largest'))
    .executeTakeFirstOrThrow()
  return (largest ?? 0) + 1
}

/** @throws RequestRefused naming the first that no calendar has */
function refuseMoments(campaign: Partial<Pick<Campaign, 'created' | 'launched' | 'completed'>>): void {
  for (const member of ['created', 'launched', 'completed'] as const) {
    const moment = campaign[member] ?? null
    if (moment !== null && Number.isNaN(millisecondsOf(moment))) {
      throw new RequestRefused(
        'bad-request',
        `${member} must be a moment that exists, such as "2030-01-31 23:59:59".`,
        {
          field: member,
        },
      )
    }
  }
}

function viewOf(row: CampaignRow): CampaignRecord & AdministeredItem {
  return { ...campaignOf(row), managedBy: row.managed_by }
}
