import { randomUUID } from 'node:crypto'
import {
  type Clock,
  type JobQueue,
  type Lease,
  type Log,
  type ServiceMetrics,
  type Store,
  severities,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type ChannelKind, channelKinds } from '../notification-configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import type { Channels } from './channels.ts'
import type { Delivery, Notice, Sender } from './notice.ts'
import { notificationOf } from './notification-row.ts'

/** A channel that has something to send. */
export interface ChannelJob {
  readonly channel: string
  readonly dueAt: number
}

const retryFirstMs = 10_000
const retryLastMs = 60 * 60_000
/** Whether a channel took what was sent. */
const results = ['sent', 'failed'] as const
type Result = (typeof results)[number]
/** Notices in one delivery, at most. */
const noticesMax = 100

/**
 * Sends what waits in the store, channel by channel: of several servers one at a time sends to a channel, and a restart forgets
 * nothing. What could not be sent is tried again, ever more seldom, until it can be.
 */
export class Outbox implements JobQueue<ChannelJob> {
  readonly #tables: Kysely<AdministrationTables>
  readonly #channels: Channels
  readonly #server: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #count: (of: { readonly kind: ChannelKind; readonly result: Result }) => void

  constructor(deps: {
    readonly store: Store
    readonly channels: Channels
    readonly server: string
    readonly clock: Clock
    readonly log: Log
    readonly metrics: ServiceMetrics
  }) {
    this.#tables = deps.store.tables<AdministrationTables>()
    this.#channels = deps.channels
    this.#server = deps.server
    this.#clock = deps.clock
    this.#log = deps.log
    this.#count = deps.metrics.counter(
      'palisade_notification_deliveries_total',
      'Messages to channels, by the kind of the channel and whether they were taken; each try counts',
      ['kind', 'result'],
      channelKinds.flatMap((kind) => results.map((result) => ({ kind, result }))),
    )
  }

  /** Whether there is a channel of this name. */
  async has(channel: string): Promise<boolean> {
    const row = await this.#tables
      .selectFrom('admin_channel')
      .select('name')
      .where('name', '=', channel)
      .where('settings', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Has a notice sent that says nothing but that it arrives. */
  async addTest(channel: string): Promise<void> {
    const now = this.#clock.now()
    await this.#tables
      .insertInto('admin_notification')
      .values(notificationOf({ channel, kind: 'test', attention_id: null, created_at: now, due_at: now }))
      .execute()
  }

  due(nowMs: number): Promise<ChannelJob[]> {
    return this.#waiting(nowMs).where('admin_notification.due_at', '<=', nowMs).execute()
  }

  async nextDueAt(nowMs: number): Promise<number | undefined> {
    const times = (await this.#waiting(nowMs).execute()).map(({ dueAt }) => dueAt)
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
    try {
      const sender = await this.#channels.sender(channel)
      if (sender === undefined) return
      const delivery = await this.#nextDelivery(channel)
      if (delivery) {
        await this.#send(sender, { ...delivery, server: this.#server }, signal)
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
      .where('settings', 'is not', null)
      .execute()
    return rows.map(({ name, since, failure }) => ({ name, since: since ?? 0, failure: failure ?? '' }))
  }

  async #send(sender: Sender, delivery: Delivery, signal: AbortSignal): Promise<void> {
    try {
      await sender.send(delivery, this.#clock.now(), signal)
    } catch (error) {
      if (!signal.aborted) this.#count({ kind: sender.kind, result: 'failed' })
      throw error
    }
    this.#count({ kind: sender.kind, result: 'sent' })
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
      .where('admin_channel.settings', 'is not', null)
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
    const unfinished = await unsent.where('delivery', 'is not', null).limit(1).executeTakeFirst()
    if (unfinished?.delivery) return this.#deliveryOf(unfinished.delivery)
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
    more: Partial<
      Pick<AdministrationTables['admin_channel'], 'retry_at' | 'failures' | 'failing_since' | 'failure'>
    >,
  ): Promise<void> {
    await this.#tables
      .updateTable('admin_channel')
      .set({ holder: null, leased_until: 0, ...more })
      .where('name', '=', channel)
      .where('holder', '=', holder)
      .execute()
  }
}
