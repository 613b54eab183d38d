import {
  type Clock,
  digestOf,
  isOneOf,
  isStorableText,
  newSecret,
  type Store,
  type TransactionTables,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { BackupTables, ComputerRow } from '../tables.ts'
import type { EnrolmentDigests } from './enrolment-digest.ts'

/** What an agent says about itself and the machine that it runs on. */
export interface AgentDescription {
  readonly agentVersion: string
  readonly hostName: string
  readonly platform: string
}

/** A computer as the store knows it; what is null was never told. */
export interface Computer extends ComputerId {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly lastSeenAt: number | null
  readonly agentVersion: string | null
  readonly hostName: string | null
  readonly platform: string | null
  /** Recognises the key with which its agent seals chunks end to end; null when it does not. */
  readonly endToEndKeyCheck: string | null
}

/** The accounts of the backup service and their computers. */
export class Computers {
  readonly #tables: Kysely<BackupTables>
  readonly #characterOrder: Store['characterOrder']
  readonly #clock: Clock
  readonly #digests: EnrolmentDigests

  constructor(deps: { store: Store; clock: Clock; digests: EnrolmentDigests }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#characterOrder = deps.store.characterOrder
    this.#clock = deps.clock
    this.#digests = deps.digests
  }

  /** Whether there is such an account, and it is not deleted. */
  async accountExists(accountId: string): Promise<boolean> {
    if (!isStorableText(accountId)) return false
    const row = await this.#tables
      .selectFrom('backup_account')
      .select('id')
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /** The computer, unless it is deleted. */
  async find({ accountId, computerId }: ComputerId): Promise<Computer | undefined> {
    if (!isStorableText(accountId) || !isStorableText(computerId)) return undefined
    return this.#described()
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  /** The computers of an account that are not deleted, by id. */
  ofAccount(accountId: string): Promise<Computer[]> {
    return this.#described()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .orderBy('id', (order) => order.collate(this.#characterOrder))
      .execute()
  }

  /** All computers, those included that are deleted and still have what they had. */
  all(): Promise<Computer[]> {
    return this.#described().execute()
  }

  /** The computer that a domain of the vault is of. */
  async ofDomain(domain: string): Promise<Computer | undefined> {
    return (await this.all()).find((computer) => domainOf(computer) === domain)
  }

  /** The computer whose agent has this credential, unless it is deleted. */
  async ofCredential(credential: string): Promise<ComputerId | undefined> {
    return this.#tables
      .selectFrom('backup_computer')
      .select(['account_id as accountId', 'id as computerId'])
      .where('credential_digest', '=', digestOf(credential))
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  /**
   * Gives the computer's agent a new credential and ends the one before, unless the key was revoked or replaced, or the computer
   * deleted, up to that moment.
   *
   * @param beforehand is called when the key is right, and may throw to refuse the enrolment
   * @returns undefined when there is no such computer or the key is wrong, after the same work in both cases, or was revoked;
   *   `replaced` tells whether there was a credential before
   */
  async enrol(
    computer: ComputerId,
    enrolmentKey: string,
    agent: AgentDescription,
    beforehand: () => Promise<void>,
  ): Promise<{ credential: string; computerName: string; replaced: boolean } | undefined> {
    const row = await this.#enrolmentRow(computer)
    if (!this.#digests.matches(computer, enrolmentKey, row?.enrolment_digest) || !row) return undefined
    await beforehand()
    const credential = newSecret()
    const { numUpdatedRows } = await this.#updating(computer)
      .set({ credential_digest: digestOf(credential), ...this.#seenNow(agent) })
      .where('enrolment_digest', '=', row.enrolment_digest)
      .whereRef('enrolment_digest', 'is distinct from', 'revoked_enrolment_digest')
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const replaced = row.credential_digest !== null
    return numUpdatedRows > 0n ? { credential, computerName: row.name, replaced } : undefined
  }

  /** What agents are let in by, of a computer that there is. */
  async agentAccess({ accountId, computerId }: ComputerId, tables: Kysely<BackupTables>) {
    const row = await tables
      .selectFrom('backup_computer')
      .select(['credential_digest', 'enrolment_digest', 'revoked_enrolment_digest'])
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
      .executeTakeFirstOrThrow()
    return agentAccessOf(row)
  }

  /**
   * Ends the credential of the computer's agent, and the enrolment key with it: an agent enrols again when the
   * computer is given another key. Also within a transaction.
   */
  async revoke(computer: ComputerId, tables?: Kysely<BackupTables>): Promise<void> {
    await this.#updating(computer, tables)
      .set(({ ref }) => ({ credential_digest: null, revoked_enrolment_digest: ref('enrolment_digest') }))
      .execute()
  }

  /**
   * Remembers the key that a computer's backups are sealed with from now on, unless there is one already.
   *
   * @returns whether it is the computer's key now
   */
  async noteEndToEndKey(computer: ComputerId, keyCheck: string): Promise<boolean> {
    await this.#updating(computer)
      .set({ end_to_end_key_check: keyCheck })
      .where('end_to_end_key_check', 'is', null)
      .execute()
    return (await this.endToEndKeyCheck(computer)) === keyCheck
  }

  /** What recognises the key that the computer's backups are sealed with; null when the vault's keys open them. */
  async endToEndKeyCheck(computer: ComputerId): Promise<string | null> {
    const { accountId, computerId } = computer
    const row = await this.#tables
      .selectFrom('backup_computer')
      .select('end_to_end_key_check')
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
      .executeTakeFirst()
    return row?.end_to_end_key_check ?? null
  }

  /** What a deleted computer has is not removed before this time, if it was to be removed earlier. */
  async deferPurge(computer: ComputerId, untilMs: number): Promise<void> {
    await this.#updating(computer)
      .set({ purge_at: untilMs })
      .where('purge_at', '<', untilMs)
      .where('purging', '=', 0)
      .execute()
  }

  /** From now on the computer's backups may be sealed with another key of its own, or with the vault's. */
  async forgetEndToEndKey(computer: ComputerId): Promise<void> {
    await this.#updating(computer).set({ end_to_end_key_check: null }).execute()
  }

  /** Notes that the agent was heard of just now, and what it said about itself. */
  async noteSeen(computer: ComputerId, agent?: AgentDescription): Promise<void> {
    await this.#updating(computer).set(this.#seenNow(agent)).execute()
  }

  #seenNow(agent: AgentDescription | undefined) {
    const last_seen_at = this.#clock.now()
    if (!agent) return { last_seen_at }
    const { agentVersion: agent_version, hostName: host_name, platform } = agent
    return { last_seen_at, agent_version, host_name, platform }
  }

  #updating({ accountId, computerId }: ComputerId, tables: Kysely<BackupTables> = this.#tables) {
    return tables
      .updateTable('backup_computer')
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
  }

  async #enrolmentRow({ accountId, computerId }: ComputerId) {
    if (!isStorableText(accountId) || !isStorableText(computerId)) return undefined
    return this.#tables
      .selectFrom('backup_computer')
      .select(['name', 'enrolment_digest', 'credential_digest'])
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  #described() {
    return this.#tables
      .selectFrom('backup_computer')
      .select([
        'account_id as accountId',
        'id as computerId',
        'name',
        'last_seen_at as lastSeenAt',
        'agent_version as agentVersion',
        'host_name as hostName',
        'platform',
        'end_to_end_key_check as endToEndKeyCheck',
      ])
  }
}

/** Those of some accounts that there are, and that are not deleted. */
export async function existingAccounts(
  { kind, tables }: TransactionTables,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tables<BackupTables>()
    .selectFrom('backup_account')
    .select('id')
    .where(isOneOf(kind, 'id', accountIds))
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What agents are let in by, as operators are shown it: whether, and not what. */
export function agentAccessOf(
  row: Pick<ComputerRow, 'credential_digest' | 'enrolment_digest' | 'revoked_enrolment_digest'>,
) {
  return {
    isEnrolmentKeyOpen: row.enrolment_digest !== row.revoked_enrolment_digest,
    isEnrolled: row.credential_digest !== null,
  }
}
