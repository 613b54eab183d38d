import { randomUUID } from 'node:crypto'
import type { Attention, Severity, Store, TransactionTables } from '@palisade/platform'
import type { Selectable } from 'kysely'
import { notificationOf } from '../notifications/notification-row.ts'
import { routesOf } from '../notifications/routes.ts'
import { destinationsOf } from '../notifications/routing.ts'
import type { AdministrationTables } from '../tables.ts'

/** A condition as it is stored. Times are milliseconds since 1970. */
export type AttentionRow = Selectable<AdministrationTables['admin_attention']>

/** A condition, the service that tells of it, and the server that it is about alone. */
export interface ServiceAttention extends Attention {
  readonly service: string
  /** Empty when it is about what all servers share. */
  readonly server: string
}

/** Conditions of a server that has not told of them for so long are over, since the server is gone. */
const serverGoneMs = 10 * 60_000

/** The conditions that last or have lasted, in the store, with word of each that is to be sent. */
export class AttentionList {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * Brings the list to what this server sees now. What is new and what has passed is noted with its notifications in one
   * transaction, so that a server that dies loses none, and two servers that see the same note it once.
   *
   * @param seen what sources tell
   * @param told whether the source of a condition was asked and has answered: what others have told stays
   * @param server the name of this one
   */
  async update(
    seen: readonly ServiceAttention[],
    {
      server,
      told,
      now,
    }: {
      readonly server: string
      readonly told: (of: Pick<ServiceAttention, 'service' | 'server'>) => boolean
      readonly now: number
    },
  ): Promise<void> {
    await this.#store.serializably(async (tables) => {
      const open = await tables
        .tables<AdministrationTables>()
        .selectFrom('admin_attention')
        .selectAll()
        .where('resolved_at', 'is', null)
        .execute()
      const openByKey = new Map(open.map((row) => [keyOf(row), row]))
      for (const attention of seen) {
        const row = openByKey.get(keyOf(attention))
        openByKey.delete(keyOf(attention))
        if (row) await this.#keep(tables, row, attention, now)
        else await this.#raise(tables, attention, now)
      }
      for (const row of openByKey.values()) {
        const isOthers = row.server !== '' && row.server !== server
        const lasts = isOthers ? row.seen_at + serverGoneMs > now : !told(row)
        if (lasts) continue
        await this.#resolve(tables, row, now)
      }
    })
  }

  async #raise(tables: TransactionTables, attention: ServiceAttention, now: number): Promise<void> {
    const { service, server, condition, subject, severity, message, remedy } = attention
    const id = randomUUID()
    const db = tables.tables<AdministrationTables>()
    await db
      .insertInto('admin_attention')
      .values({
        id,
        service,
        server,
        condition,
        subject,
        severity,
        message,
        remedy,
        since: now,
        seen_at: now,
        resolved_at: null,
      })
      .execute()
    await this.#notify(tables, { ...attention, id }, now)
  }

  async #notify(
    tables: TransactionTables,
    { id, service, severity }: { readonly id: string; readonly service: string; readonly severity: Severity },
    now: number,
  ): Promise<void> {
    const routes = await routesOf(tables)
    for (const { channel, dueAt } of destinationsOf({ severity, service }, routes, now)) {
      await tables
        .tables<AdministrationTables>()
        .insertInto('admin_notification')
        .values(notificationOf({ channel, kind: 'raised', attention_id: id, created_at: now, due_at: dueAt }))
        .execute()
    }
  }

  async #keep(
    tables: TransactionTables,
    row: AttentionRow,
    attention: ServiceAttention,
    now: number,
  ): Promise<void> {
    const { severity, message, remedy } = attention
    const isGraver = severity !== row.severity && severity === 'critical'
    await tables
      .tables<AdministrationTables>()
      .updateTable('admin_attention')
      .set({ severity, message, remedy, seen_at: now })
      .where('id', '=', row.id)
      .execute()
    if (isGraver) await this.#notify(tables, { ...attention, id: row.id }, now)
  }

  /** Who has got word of it gets word that it is over; who has not yet gets none at all. */
  async #resolve(tables: TransactionTables, { id }: AttentionRow, now: number): Promise<void> {
    const db = tables.tables<AdministrationTables>()
    await db.updateTable('admin_attention').set({ resolved_at: now }).where('id', '=', id).execute()
    await db
      .deleteFrom('admin_notification')
      .where('attention_id', '=', id)
      .where('sent_at', 'is', null)
      .where('delivery', 'is', null)
      .execute()
    const notifiedChannels = await db
      .selectFrom('admin_notification')
      .select('channel')
      .distinct()
      .where('attention_id', '=', id)
      .where('kind', '=', 'raised')
      .execute()
    for (const { channel } of notifiedChannels) {
      await db
        .insertInto('admin_notification')
        .values(notificationOf({ channel, kind: 'resolved', attention_id: id, created_at: now, due_at: now }))
        .execute()
    }
  }
}

function keyOf({
  server,
  service,
  condition,
  subject,
}: Pick<AttentionRow, 'server' | 'service' | 'condition' | 'subject'>): string {
  return JSON.stringify([server, service, condition, subject])
}
