import { readFileSync } from 'node:fs'
import { type Store, TextSeal, type TransactionTables } from '@palisade/platform'
import { AddressGuard } from '@palisade/proxy-protocol'
import {
  type ChannelConfiguration,
  channelKinds,
  type NotificationConfiguration,
} from '../notification-configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import type { Sender } from './notice.ts'
import { type ChannelSettings, senderOf } from './senders.ts'

const fresh = { holder: null, leased_until: 0, retry_at: 0, failures: 0, failing_since: null, failure: null }

/** Channels in the store, their settings sealed: all servers send by the same. */
export class Channels {
  readonly #store: Store
  readonly #seal: TextSeal
  #guard = new AddressGuard()

  /** @param key 32 bytes that only this installation knows */
  constructor({ store, key }: { store: Store; key: Buffer }) {
    this.#store = store
    this.#seal = new TextSeal(key, 'palisade-administration/channel')
  }

  /**
   * Brings the channels that a file manages to what it says: those that it does not name any more are deleted, with what waits for them.
   *
   * @param file as messages call it; null where the configuration comes from no file
   */
  async provision(
    tables: TransactionTables,
    channels: NotificationConfiguration['channels'],
    file: string | null,
  ): Promise<void> {
    const db = tables.tables<AdministrationTables>()
    const managed = await db
      .selectFrom('admin_channel')
      .select('name')
      .where('managed_by', 'is not', null)
      .execute()
    const names = channels.map(({ name }) => name)
    for (const { name } of managed) if (!names.includes(name)) await this.remove(tables, name)
    for (const channel of channels) {
      const row = { settings: this.#sealed(channel.name, settingsOf(channel)), managed_by: file }
      await db
        .insertInto('admin_channel')
        .values({ name: channel.name, ...fresh, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    }
  }

  /** Connects to none of these addresses and networks from now on. */
  forbid(networks: readonly string[]): void {
    const setting = 'administration.notifications.forbiddenAddresses'
    this.#guard = new AddressGuard({ networks, endpoints: [] }, setting)
  }

  /** The settings of a channel with their secrets; undefined where there is none. */
  async settings(
    { tables }: Pick<TransactionTables, 'tables'>,
    name: string,
  ): Promise<ChannelSettings | undefined> {
    const row = await tables<AdministrationTables>()
      .selectFrom('admin_channel')
      .select('settings')
      .where('name', '=', name)
      .executeTakeFirst()
    return row?.settings ? this.open(name, row.settings) : undefined
  }

  /** @param sealed as the column has it */
  open(name: string, sealed: string): ChannelSettings {
    return JSON.parse(this.#seal.open(sealed, name))
  }

  /** What sends to a channel; undefined where there is none. */
  async sender(name: string): Promise<Sender | undefined> {
    const settings = await this.settings(this.#store, name)
    return settings && senderOf(settings, this.#guard)
  }

  /** @throws what the store throws where there is a channel of the name */
  async create({ tables }: TransactionTables, name: string, settings: ChannelSettings): Promise<void> {
    const db = tables<AdministrationTables>()
    // Of an earlier release: nobody sends to it any more.
    await db.deleteFrom('admin_channel').where('name', '=', name).where('settings', 'is', null).execute()
    await db
      .insertInto('admin_channel')
      .values({ name, ...fresh, settings: this.#sealed(name, settings), managed_by: null })
      .execute()
  }

  /** What is changed is tried at once, though it has failed before. */
  async update({ tables }: TransactionTables, name: string, settings: ChannelSettings): Promise<void> {
    await tables<AdministrationTables>()
      .updateTable('admin_channel')
      .set({ settings: this.#sealed(name, settings), retry_at: 0 })
      .where('name', '=', name)
      .execute()
  }

  /** Deletes a channel with what was sent to it and what waits for it. */
  async remove({ tables }: TransactionTables, name: string): Promise<void> {
    const db = tables<AdministrationTables>()
    await db.deleteFrom('admin_notification').where('channel', '=', name).execute()
    await db.deleteFrom('admin_channel').where('name', '=', name).execute()
  }

  #sealed(name: string, settings: ChannelSettings): string {
    return this.#seal.seal(JSON.stringify(settings), name)
  }
}

/** The settings that a file says, with the files that it names read. */
function settingsOf(channel: ChannelConfiguration): ChannelSettings {
  const kind = channelKinds.find((one) => channel[one] !== undefined)
  const { caFile, ...settings } = (kind && channel[kind]) ?? {}
  const authorities = caFile === undefined ? {} : { authorities: readFileSync(caFile, 'utf8') }
  return { [kind ?? 'webhook']: { ...settings, ...authorities } }
}
