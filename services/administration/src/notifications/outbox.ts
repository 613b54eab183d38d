import { randomUUID } from 'node:crypto'
import { type Clock, type JobQueue, type Lease, type Log, type Store, severities } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { AdministrationTables } from '../tables.ts'
import type { Notice, Sender } from './notice.ts'
import { notificationOf } from './notification-row.ts'

/** A channel that has something to send. */
export interface ChannelJob {
  readonly channel: string
  readonly dueAt: number
}

const retryFirstMs = 10_000
const retryLastMs = 60 * 60_000
/** Notices in one delivery, at most. */
const noticesMax = 100

/**
 * Sends what waits in the store, channel by channel: of several servers one at a time sends to a channel, and a restart forgets
 * nothing. What could not be sent is tried again, ever more seldom, until it can be.
 */
export class Outbox implements JobQueue<ChannelJob> {
  readonly #tables: Kysely<AdministrationTables>
  readonly #senders: ReadonlyMap<string, Sender>
  readonly #server: string
  readonly #clock: Clock
  readonly #log: Log

  constructor(deps: {
    readonly store: Store
    readonly senders: ReadonlyMap<string, Sender>
    readonly server: string
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#tables = deps.store.tables<AdministrationTables>()
    this.#senders = deps.senders
    this.#server = deps.server
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Makes a row for each channel of the configuration. */
  async prepare(): Promise<void> {
    for (const name of this.#senders.keys()) {
      await this.#tables
        .insertInto('admin_channel')
        .values({
          name,
          holder: null,
          leased_until: 0,
          retry_at: 0,
          failures: 0,
          failing_since: null,
          failure: null,
        })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
    }
  }

  has(channel: string): boolean {
    return this.#senders.has(channel)
  }

  /** Has a notice sent that says nothing but that it arrives. */
  async addTest(channel: string): Promise<void> {
    const now = this.#clock.now()
    await this.#tables
      .insertInto('admin_notification')
      .values(notificationOf({ channel, kind: 'test', attention_id: null, created_at: now, due_at: now }))
      .execute()
  }

  async due(nowMs: number): Promise<ChannelJob[]> {
    const rows = await this.#waiting(nowMs).where('admin_notification.due_at', '<=', nowMs).execute()
    return rows.filter(({ channel }) => this.#senders.has(channel))
  }

  async nextDueAt(nowMs: number): Promise<number | undefined> {
    const rows = await this.#waiting(nowMs).execute()
    const times = rows.filter(({ channel }) => this.#senders.has(channel)).map(({ dueAt }) => dueAt)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  nameOf({ channel }: ChannelJob): string {
    return channel
  }

  laneOf({ channel }: ChannelJob): string {
    return channel
  }

  async claim({ channel }: ChannelJob, { holder, untilMs }: Lease, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('admin_channel')
      .set({ holder, leased_until: untilMs })
      .where('name', '=', channel)
      .where('leased_until', '<=', nowMs)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async run({ channel }: ChannelJob, holder: string, signal: AbortSignal): Promise<void> {
    const sender = this.#senders.get(channel)
    if (sender === undefined) return
    const delivery = await this.#nextDelivery(channel)
    try {
      if (delivery) {
        await sender.send({ ...delivery, server: this.#server }, this.#clock.now(), signal)
        await this.#tables
          .updateTable('admin_notification')
          .set({ sent_at: this.#clock.now() })
          .where('delivery', '=', delivery.id)
          .execute()
      }
      await this.#release(channel, holder, { retry_at: 0, failures: 0, failing_since: null, failure: null })
    } catch (error) {
      if (signal.aborted) throw error
      await this.#noteFailure(channel, holder, error)
    }
  }

  async giveBack({ channel }: ChannelJob, holder: string): Promise<void> {
    await this.#release(channel, holder, {})
  }

  /** Channels that could not be sent to for so long: names, since when, and why. */
  async failing(): Promise<readonly { name: string; since: number; failure: string }[]> {
    const rows = await this.#tables
      .selectFrom('admin_channel')
      .select(['name', 'failing_since as since', 'failure'])
      .where('failing_since', 'is not', null)
      .execute()
    return rows
      .filter(({ name }) => this.#senders.has(name))
      .map(({ name, since, failure }) => ({ name, since: since ?? 0, failure: failure ?? '' }))
  }

  #waiting(nowMs: number) {
    return this.#tables
      .selectFrom('admin_notification')
      .innerJoin('admin_channel', 'admin_channel.name', 'admin_notification.channel')
      .select(({ fn }) => [
        'admin_notification.channel as channel',
        fn.min<number>('admin_notification.due_at').as('dueAt'),
      ])
      .where('admin_notification.sent_at', 'is', null)
      .where('admin_channel.leased_until', '<=', nowMs)
      .where('admin_channel.retry_at', '<=', nowMs)
      .groupBy('admin_notification.channel')
  }

  /**
   * What goes to a channel next. A delivery that was begun and not noted as sent, since the server died or the channel failed, is sent
   * again under its name before anything else.
   */
  async #nextDelivery(channel: string): Promise<{ id: string; notices: readonly Notice[] } | undefined> {
    const unsent = this.#tables
      .selectFrom('admin_notification')
      .select(['id', 'delivery'])
      .where('channel', '=', channel)
      .where('sent_at', 'is', null)
      .orderBy('created_at')
    const begun = await unsent.where('delivery', 'is not', null).limit(1).executeTakeFirst()
    if (begun?.delivery) return this.#deliveryOf(begun.delivery)
    const due = await unsent.where('due_at', '<=', this.#clock.now()).limit(noticesMax).execute()
    if (due.length === 0) return undefined
    const id = randomUUID()
    await this.#tables
      .updateTable('admin_notification')
      .set({ delivery: id })
      .where(
        'id',
        'in',
        due.map((row) => row.id),
      )
      .execute()
    return this.#deliveryOf(id)
  }

  async #deliveryOf(delivery: string): Promise<{ id: string; notices: readonly Notice[] }> {
    const rows = await this.#tables
      .selectFrom('admin_notification')
      .leftJoin('admin_attention', 'admin_attention.id', 'admin_notification.attention_id')
      .select([
        'admin_notification.kind',
        'admin_notification.created_at',
        'service',
        'condition',
        'subject',
        'severity',
        'message',
        'remedy',
        'since',
        'resolved_at',
      ])
      .where('delivery', '=', delivery)
      .orderBy('admin_notification.created_at')
      .execute()
    const notices = rows.map(
      (row): Notice => ({
        kind: row.kind === 'test' || row.kind === 'resolved' ? row.kind : 'raised',
        service: row.service ?? 'administration',
        condition: row.condition ?? 'test',
        subject: row.subject ?? '',
        severity: severities.find((severity) => severity === row.severity) ?? 'info',
        message: row.message ?? 'This is a test: messages to this channel arrive.',
        remedy: row.remedy ?? 'nothing',
        since: row.since ?? row.created_at,
        resolvedAt: row.kind === 'resolved' ? row.resolved_at : null,
      }),
    )
    return { id: delivery, notices }
  }

  async #noteFailure(channel: string, holder: string, error: unknown): Promise<void> {
    const failure = error instanceof Error ? error.message : String(error)
    const now = this.#clock.now()
    const row = await this.#tables
      .selectFrom('admin_channel')
      .select(['failures', 'failing_since'])
      .where('name', '=', channel)
      .executeTakeFirst()
    const failures = (row?.failures ?? 0) + 1
    const waitMs = Math.min(retryFirstMs * 2 ** (failures - 1), retryLastMs)
    this.#log.warn({ channel, failure, retryInSeconds: waitMs / 1000 }, 'a notification could not be sent')
    await this.#release(channel, holder, {
      // Not all channels of all servers at one moment.
      retry_at: Math.round(now + waitMs * (0.8 + Math.random() * 0.4)),
      failures,
      failing_since: row?.failing_since ?? now,
      failure,
    })
  }

  async #release(
    channel: string,
    holder: string,
    more: Partial<Omit<AdministrationTables['admin_channel'], 'name' | 'holder' | 'leased_until'>>,
  ): Promise<void> {
    await this.#tables
      .updateTable('admin_channel')
      .set({ holder: null, leased_until: 0, ...more })
      .where('name', '=', channel)
      .where('holder', '=', holder)
      .execute()
  }
}
