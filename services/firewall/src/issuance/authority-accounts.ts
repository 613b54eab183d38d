import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Store, TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { AccountKey, type AcmeFailure } from '../acme/index.ts'
import type { FirewallTables } from '../tables.ts'
import { pauseMs } from './renewal-time.ts'

const generate = promisify(generateKeyPair)

/** What the installation has at each authority: the key by which it is known there, sealed in the store, and until when it is to ask nothing. */
export class AuthorityAccounts {
  readonly #tables: Kysely<FirewallTables>
  readonly #seal: TextSeal

  constructor({ store, seal }: { readonly store: Store; readonly seal: TextSeal }) {
    this.#tables = store.tables<FirewallTables>()
    this.#seal = seal
  }

  /** The key for an authority, made when there is none. Of servers that make one at once all have the same. */
  async keyFor(directory: string): Promise<AccountKey> {
    const stored = (await this.#storedKey(directory)) ?? (await this.#newKey(directory))
    return new AccountKey(this.#seal.open(stored, directory))
  }

  /**
   * Has no server renew anything at an authority for as long as its refusal asks for; a later time that was said before stays.
   *
   * @param now in milliseconds since 1970
   */
  async heed(failure: AcmeFailure, directory: string, now: number): Promise<void> {
    const until = now + pauseMs(failure)
    if (until === now) return
    await this.#tables
      .updateTable('firewall_acme_account')
      .set({ paused_until: until })
      .where('directory', '=', directory)
      .where('paused_until', '<', until)
      .execute()
  }

  /** Whether an authority is to be left alone. @param now in milliseconds since 1970 */
  async isPaused(directory: string, now: number): Promise<boolean> {
    const row = await this.#tables
      .selectFrom('firewall_acme_account')
      .select('directory')
      .where('directory', '=', directory)
      .where('paused_until', '>', now)
      .executeTakeFirst()
    return row !== undefined
  }

  async #newKey(directory: string): Promise<string> {
    const { privateKey } = await generate('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await this.#tables
      .insertInto('firewall_acme_account')
      .values({ directory, private_key: this.#seal.seal(pem, directory), paused_until: 0 })
      .onConflict((conflict) => conflict.column('directory').doNothing())
      .execute()
    const stored = await this.#storedKey(directory)
    if (stored === undefined) throw new Error('the key of an ACME account has vanished from the store')
    return stored
  }

  async #storedKey(directory: string): Promise<string | undefined> {
    const row = await this.#tables
      .selectFrom('firewall_acme_account')
      .select('private_key')
      .where('directory', '=', directory)
      .executeTakeFirst()
    return row?.private_key
  }
}
