import type { HostAddress } from '@palisade/agent-protocol'
import { type Clock, isStorableText, LazyValidator, type Store, TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import type { ComputerId } from '../computer-id.ts'
import { lockComputer } from '../computers/lock-computer.ts'
import { parseStored } from '../stored-json.ts'
import type { BackupTables, HostRow } from '../tables.ts'
import type { ShareCredentials } from '../tasks/task.ts'
import { type Host, UnsupportedReason } from './host.ts'

const reasons = new LazyValidator(UnsupportedReason)
const logons = new LazyValidator(Type.Object({ username: Type.String(), password: Type.String() }))

/** What is registered. */
export interface HostToRegister {
  readonly hostName: string
  readonly isLocal: boolean
  readonly unsupported: UnsupportedReason | null
  readonly logon: ShareCredentials | undefined
}

/** The hosts that are registered for computers. Whoever is logged on at them is sealed with a key of this installation. */
export class Hosts {
  readonly #tables: Kysely<BackupTables>
  readonly #clock: Clock
  readonly #seal: TextSeal

  /** @param deps.key 32 bytes that only this installation knows */
  constructor(deps: { store: Store; clock: Clock; key: Buffer }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#clock = deps.clock
    this.#seal = new TextSeal(deps.key, 'palisade-backup/host-logons')
  }

  /**
   * Registers a host, or again: it keeps its id then. Names of machines are the same in any case of letters.
   *
   * @returns the host, and what was registered of it before
   */
  async register(
    computer: ComputerId,
    host: HostToRegister,
  ): Promise<{ readonly host: Host; readonly former: Host | undefined }> {
    const { accountId, computerId } = computer
    const { hostName, isLocal, unsupported, logon } = host
    const of = { account_id: accountId, computer_id: computerId }
    const { id, former } = await this.#tables.transaction().execute(async (transaction) => {
      await lockComputer(transaction, computer)
      const others = await transaction
        .selectFrom('backup_host')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('computer_id', '=', computerId)
        .where('is_local', '=', Number(isLocal))
        .orderBy('id')
        .execute()
      const former = others.find(({ host_name }) => host_name.toLowerCase() === hostName.toLowerCase())
      const { value } = former
        ? { value: former.id }
        : await transaction
            .updateTable('backup_counter')
            .set((column) => ({ value: column('value', '+', 1) }))
            .where('name', '=', 'host')
            .returning('value')
            .executeTakeFirstOrThrow()
      const facts = {
        host_name: hostName,
        unsupported: unsupported && JSON.stringify(unsupported),
        sealed_logon: logon ? this.#seal.seal(JSON.stringify(logon), contextOf(computer, value)) : null,
        registered_at: this.#clock.now(),
      }
      await transaction
        .insertInto('backup_host')
        .values({ id: value, ...of, is_local: Number(isLocal), ...facts })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(facts))
        .execute()
      return { id: value, former: former && hostOf(former) }
    })
    const registered = await this.find(computer, id)
    if (registered === undefined) throw new Error('a host was removed while it was registered')
    return { host: registered, former }
  }

  async find(computer: ComputerId, id: number): Promise<Host | undefined> {
    if (!Number.isSafeInteger(id)) return undefined
    const row = await this.#ofComputer(computer).where('id', '=', id).executeTakeFirst()
    return row && hostOf(row)
  }

  /** The computer's hosts, in the order in which they were first registered. */
  async list(computer: ComputerId): Promise<Host[]> {
    return (await this.#ofComputer(computer).orderBy('id').execute()).map(hostOf)
  }

  /** Forgets a host, and who is logged on at it. @returns what it was; undefined when there was none */
  async remove({ accountId, computerId }: ComputerId, id: number): Promise<Host | undefined> {
    const row = await this.#tables
      .deleteFrom('backup_host')
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row && hostOf(row)
  }

  /** How an agent is told of a host. */
  addressOf(computer: ComputerId, { id, hostName, isLocal, sealedLogon }: Host): HostAddress {
    if (isLocal) return {}
    if (sealedLogon === null) return { hostName }
    const credentials = parseStored(logons, this.#seal.open(sealedLogon, contextOf(computer, id)))
    return { hostName, credentials }
  }

  #ofComputer({ accountId, computerId }: ComputerId) {
    return this.#tables
      .selectFrom('backup_host')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
  }
}

/** Whether a text can be the name of a host: of a machine in a network, or one that an operator gave. */
export function isHostName(text: string): boolean {
  return /^[^\s\p{C}\\/:*?"<>|]{1,253}$/u.test(text) && isStorableText(text)
}

function contextOf({ accountId, computerId }: ComputerId, id: number): string {
  return JSON.stringify([accountId, computerId, id])
}

function hostOf({ id, host_name, is_local, unsupported, sealed_logon }: HostRow): Host {
  return {
    id,
    hostName: host_name,
    isLocal: is_local === 1,
    unsupported: unsupported === null ? null : parseStored(reasons, unsupported),
    sealedLogon: sealed_logon,
  }
}
