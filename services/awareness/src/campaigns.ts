import { rowBatches, type Store } from '@palisade/platform'
import type { ExpressionBuilder, Kysely, OnConflictDatabase } from 'kysely'
import type { AwarenessConfiguration } from './configuration.ts'
import type { AwarenessTables, CampaignRow } from './tables.ts'
import { millisecondsOf, timestampOf } from './timestamp.ts'

/** A campaign as the configuration file states it. */
export type Campaign = AwarenessConfiguration['campaigns'][number]

/** One campaign as the service answers it; times as {@link timestampOf} writes them. */
export type CampaignRecord = Omit<Campaign, 'status'> & { readonly status: string }

/** Which campaigns a call asks for. */
export interface CampaignSelection {
  /** One campaign, or all when undefined. */
  readonly id: number | undefined
  /** Only campaigns with a larger id: the `maxIdReturned` of the page before. */
  readonly afterId: number
}

/** One page of campaigns, 5,000 at most, and what is beyond it. */
export interface CampaignPage {
  /** Campaigns that were asked for, on all pages. */
  readonly totalRowCount: number
  /** Campaigns after this page. */
  readonly remainingRowCount: number
  /** The largest id on this page; where it is empty, the id that it should have begun after. */
  readonly maxIdReturned: number
  readonly data: readonly CampaignRecord[]
}

/** Campaigns in one reply, at most. */
export const pageRowsMax = 5000

/** The campaigns that are provisioned. */
export class Campaigns {
  readonly #tables: Kysely<AwarenessTables>

  constructor(store: Store) {
    this.#tables = store.tables<AwarenessTables>()
  }

  /**
   * Adds the campaigns or brings them to what is given; deletes nothing. Those that are not given any more are administered at run time
   * from then on.
   *
   * @param file the configuration file that names them, as messages call it; null where none does
   */
  async provision(campaigns: readonly Campaign[], file: string | null): Promise<void> {
    const rows = campaigns.map((campaign) => rowOf(campaign, file))
    await this.#tables.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('awareness_campaign')
        .set({ managed_by: null })
        .where('managed_by', 'is not', null)
        .execute()
      for (const batch of rowBatches(rows)) {
        await transaction
          .insertInto('awareness_campaign')
          .values(batch)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(newValues))
          .execute()
      }
    })
  }

  async exists(id: number): Promise<boolean> {
    const row = await this.#tables
      .selectFrom('awareness_campaign')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined
  }

  /** One page, by id. */
  async page({ id, afterId }: CampaignSelection): Promise<CampaignPage> {
    const all = this.#tables.selectFrom('awareness_campaign')
    const selected = id === undefined ? all : all.where('id', '=', id)
    const { total, after } = await selected
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.countAll<number>().filterWhere('id', '>', afterId).as('after'),
      ])
      .executeTakeFirstOrThrow()
    const rows = await selected
      .selectAll()
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(pageRowsMax)
      .execute()
    return {
      totalRowCount: total,
      remainingRowCount: Math.max(0, after - rows.length),
      maxIdReturned: rows.at(-1)?.id ?? afterId,
      data: rows.map(campaignOf),
    }
  }
}

/** @param file that manages it; null where it is administered at run time */
export function rowOf(
  { created, launched, completed, ...campaign }: CampaignRecord,
  file: string | null,
): CampaignRow {
  return {
    ...campaign,
    managed_by: file,
    created_at: created === null ? null : millisecondsOf(created),
    launched_at: launched === null ? null : millisecondsOf(launched),
    completed_at: completed === null ? null : millisecondsOf(completed),
  }
}

/** What a row says of a campaign, with times as the API writes them. */
export function campaignOf({
  created_at,
  launched_at,
  completed_at,
  managed_by: _,
  ...row
}: CampaignRow): CampaignRecord {
  return {
    ...row,
    created: created_at === null ? null : timestampOf(created_at),
    launched: launched_at === null ? null : timestampOf(launched_at),
    completed: completed_at === null ? null : timestampOf(completed_at),
  }
}

/** What an insert brings for a campaign that is already there. */
function newValues({
  ref,
}: ExpressionBuilder<OnConflictDatabase<AwarenessTables, 'awareness_campaign'>, 'excluded'>) {
  return {
    name: ref('excluded.name'),
    status: ref('excluded.status'),
    created_at: ref('excluded.created_at'),
    launched_at: ref('excluded.launched_at'),
    completed_at: ref('excluded.completed_at'),
    sent: ref('excluded.sent'),
    opened: ref('excluded.opened'),
    clicked: ref('excluded.clicked'),
    submitted: ref('excluded.submitted'),
    reported: ref('excluded.reported'),
    managed_by: ref('excluded.managed_by'),
  }
}
