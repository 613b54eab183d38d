import { randomUUID } from 'node:crypto'
import {
  type Clock,
  isDuplicate,
  isStorableText,
  newSecret,
  type Passwords,
  RequestRefused,
  type Store,
  type TransactionTables,
} from '@palisade/platform'
import { type Grant, readGrants, refuseGrants } from '../access/grants.ts'
import type { AdministrationConfiguration } from '../configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import {
  attachIdentity,
  detachIdentity,
  type OpenIdIdentity,
  refuseWhatProviderSays,
} from './openid-identity.ts'
import { noSecondFactor, type OperatorRow, selectOperators } from './operator.ts'

/** The operator that a first start makes. */
export interface FirstOwner {
  readonly username: string
  readonly password: string
}

/** The people and machines who administer Palisade. */
export class Operators {
  readonly #store: Store
  readonly #passwords: Passwords
  readonly #clock: Clock

  constructor(deps: { store: Store; passwords: Passwords; clock: Clock }) {
    this.#store = deps.store
    this.#passwords = deps.passwords
    this.#clock = deps.clock
  }

  /**
   * Adds the operators of a configuration file or brings them to what it says. Those that it does not name any more are administered
   * at run time from then on.
   *
   * @param operators whom `problemsOfAdministration` has let through
   * @param file as messages call it; null where the configuration comes from no file
   */
  async provision(operators: AdministrationConfiguration['operators'], file: string | null): Promise<void> {
    const rows = await Promise.all(operators.map((operator) => this.#provisionedRow(operator, file)))
    await this.#store.serializably(async (tables) => {
      const db = tables.tables<AdministrationTables>()
      await db.updateTable('admin_operator').set({ managed_by: null }).execute()
      for (const { isUnchanged, ...row } of rows) {
        await db
          .insertInto('admin_operator')
          .values({
            id: randomUUID(),
            created_at: this.#clock.now(),
            last_login_at: null,
            ...noSecondFactor,
            ...row,
          })
          .onConflict((conflict) => conflict.column('username').doUpdateSet(row))
          .execute()
        await detachIdentity(tables, row.username)
        if (!isUnchanged) await this.endSessions(tables, row.username)
      }
    })
  }

  /**
   * Makes an owner where there is no operator at all.
   *
   * @returns his password, which exists nowhere else; undefined where there are operators
   */
  async makeFirstOwner(): Promise<FirstOwner | undefined> {
    const owner = { username: 'admin', password: newSecret() }
    const write = await this.create({ ...owner, grants: [{ role: 'owner' }] })
    return this.#store.serializably(async (tables) => {
      const first = await tables
        .tables<AdministrationTables>()
        .selectFrom('admin_operator')
        .select('id')
        .limit(1)
        .executeTakeFirst()
      if (first !== undefined) return undefined
      await write(tables)
      return owner
    })
  }

  async rowOf(tables: Pick<TransactionTables, 'tables'>, username: string): Promise<OperatorRow | undefined> {
    if (!isStorableText(username)) return undefined
    return selectOperators(tables).where('username', '=', username).executeTakeFirst()
  }

  async create(operator: {
    readonly username: string
    readonly password?: string | null
    readonly displayName?: string
    readonly grants: readonly Grant[]
    readonly identity?: OpenIdIdentity
  }): Promise<(tables: TransactionTables) => Promise<{ id: string }>> {
    const { username, password, displayName = username, grants, identity } = operator
    refuseGrants(grants)
    if (identity !== undefined && typeof password === 'string') {
      throw new RequestRefused('bad-request', 'Whoever signs in at a provider has no password here.', {
        field: 'password',
      })
    }
    const password_hash = typeof password === 'string' ? await this.#passwords.hash(password) : null
    return async (tables) => {
      const row = {
        id: randomUUID(),
        username,
        display_name: displayName,
        password_hash,
        grants: JSON.stringify(grants),
        is_disabled: 0,
        created_at: this.#clock.now(),
        last_login_at: null,
        managed_by: null,
        ...noSecondFactor,
      }
      try {
        await tables.tables<AdministrationTables>().insertInto('admin_operator').values(row).execute()
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new RequestRefused('conflict', `There is an operator ${username} already.`, {
          field: 'username',
        })
      }
      if (identity !== undefined) await attachIdentity(tables, row.id, identity)
      return { id: username }
    }
  }

  /** Changes an operator. One who is given another password, or is disabled, loses his sessions. */
  async update(
    username: string,
    change: {
      readonly password?: string | null
      readonly displayName?: string
      readonly grants?: readonly Grant[]
      readonly isDisabled?: boolean
    },
  ): Promise<(tables: TransactionTables) => Promise<void>> {
    const { password, displayName, grants, isDisabled } = change
    if (grants !== undefined) refuseGrants(grants)
    const hash = typeof password === 'string' ? await this.#passwords.hash(password) : password
    return async (tables) => {
      refuseWhatProviderSays((await this.rowOf(tables, username))?.issuer, { password, grants })
      const set = {
        ...(hash === undefined ? {} : { password_hash: hash }),
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(grants === undefined ? {} : { grants: JSON.stringify(grants) }),
        ...(isDisabled === undefined ? {} : { is_disabled: Number(isDisabled) }),
      }
      if (Object.keys(set).length > 0) {
        await tables
          .tables<AdministrationTables>()
          .updateTable('admin_operator')
          .set(set)
          .where('username', '=', username)
          .execute()
      }
      if (hash !== undefined || isDisabled === true) await this.endSessions(tables, username)
      await requireOwner(tables)
    }
  }

  async remove(tables: TransactionTables, username: string): Promise<void> {
    await tables
      .tables<AdministrationTables>()
      .deleteFrom('admin_operator')
      .where('username', '=', username)
      .execute()
    await requireOwner(tables)
  }

  async #provisionedRow(
    { username, password, displayName = username, grants }: AdministrationConfiguration['operators'][number],
    file: string | null,
  ) {
    const hash = (await this.rowOf(this.#store, username))?.password_hash ?? undefined
    const isUnchanged = await this.#passwords.matches(password, hash)
    return {
      username,
      display_name: displayName,
      password_hash: isUnchanged && hash !== undefined ? hash : await this.#passwords.hash(password),
      grants: JSON.stringify(grants),
      is_disabled: 0,
      managed_by: file,
      isUnchanged,
    }
  }

  /** Ends all sessions of an operator. */
  async endSessions(tables: TransactionTables, username: string): Promise<void> {
    const db = tables.tables<AdministrationTables>()
    await db
      .deleteFrom('admin_session')
      .where(
        'operator_id',
        'in',
        db.selectFrom('admin_operator').select('id').where('username', '=', username),
      )
      .execute()
  }

  /** An operator who has a password and gives it; undefined, after the same work, for everybody else. */
  async withPassword(username: string, password: string): Promise<OperatorRow | undefined> {
    const row = await this.rowOf(this.#store, username)
    const isRight = await this.#passwords.matches(password, row?.password_hash ?? undefined)
    return isRight && row?.is_disabled === 0 ? row : undefined
  }
}

/** @throws RequestRefused where nobody would be left who may administer operators, whatever a provider says */
async function requireOwner({ tables }: TransactionTables): Promise<void> {
  const enabled = await tables<AdministrationTables>()
    .selectFrom('admin_operator')
    .select('grants')
    .where('is_disabled', '=', 0)
    .where('grants', 'like', '%"owner"%')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admin_openid_identity')
            .select('operator_id')
            .whereRef('admin_openid_identity.operator_id', '=', 'admin_operator.id'),
        ),
      ),
    )
    .execute()
  if (enabled.some(({ grants }) => readGrants(grants).some(({ role }) => role === 'owner'))) return
  throw new RequestRefused('conflict', 'He is the last owner who can log in: make another one first.')
}
