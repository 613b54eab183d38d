import { randomUUID } from 'node:crypto'
import {
  type Actor,
  type AuditTables,
  type Clock,
  isStorableText,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import type { Grant } from '../access/grants.ts'
import { noSecondFactor, type OperatorRow, operatorOf } from '../operators/operator.ts'
import type { Operators } from '../operators/operators.ts'
import type { OpenIdProviderConfiguration } from '../sign-in-configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import { grantsOfClaims, textClaim } from './claim-grants.ts'
import type { SignedIn } from './openid-provider.ts'

/** What names hold no place for, see the schema of operators. */
const unnameable = /[\s\p{C}/?#%:]/gu
const nameLengthMax = 255

/** Whom a provider has let in as an operator, or why he is none, in a sentence. */
export type OpenIdOperator = { readonly operatorId: string } | { readonly refusal: string }

/**
 * The operators who sign in at providers. They are known by issuer and subject alone: names and mail addresses of a provider's people
 * change, and may be chosen by them.
 */
export class OpenIdOperators {
  readonly #operators: Operators
  readonly #clock: Clock

  constructor(deps: { operators: Operators; clock: Clock }) {
    this.#operators = deps.operators
    this.#clock = deps.clock
  }

  /**
   * Finds or makes the operator of a sign-in, and grants him what his claims say now. One whose claims grant nothing any more
   * loses his grants and sessions; what the transaction writes counts also where it refuses.
   *
   * @param address where the request came from, for the audit log
   */
  async admit(
    tables: TransactionTables,
    provider: OpenIdProviderConfiguration,
    person: SignedIn,
    address: string,
  ): Promise<OpenIdOperator> {
    const grants = grantsOfClaims(person.claims, provider.grants)
    const identity = await tables
      .tables<AdministrationTables>()
      .selectFrom('admin_openid_identity')
      .select('operator_id')
      .where('issuer', '=', person.issuer)
      .where('subject', '=', person.subject)
      .executeTakeFirst()
    const actor: Actor = { kind: 'system', name: `openid/${provider.name}`, address }
    if (identity === undefined) return this.#add(tables, provider, person, grants, actor)
    if (identity.operator_id === null) {
      return { refusal: 'You were removed from the operators: an owner can add you again by your identity.' }
    }
    const { username } = await tables
      .tables<AdministrationTables>()
      .selectFrom('admin_operator')
      .select('username')
      .where('id', '=', identity.operator_id)
      .executeTakeFirstOrThrow()
    const before = await this.#rowOf(tables, username)
    if (before.is_disabled === 1) return { refusal: 'You are disabled as an operator.' }
    await this.#update(tables, before, { grants, name: textClaim(person.claims, 'name') }, actor)
    return grants.length === 0 ? noGrant : { operatorId: before.id }
  }

  async #add(
    tables: TransactionTables,
    { name, usernameClaim }: OpenIdProviderConfiguration,
    { issuer, subject, claims }: SignedIn,
    grants: readonly Grant[],
    actor: Actor,
  ): Promise<OpenIdOperator> {
    if (grants.length === 0) return noGrant
    const username = usernameOf(textClaim(claims, usernameClaim) ?? subject, name)
    if ((await this.#operators.rowOf(tables, username)) !== undefined) {
      return { refusal: `Somebody else is the operator ${username}: an owner can add you by another name.` }
    }
    const db = tables.tables<AdministrationTables>()
    const id = randomUUID()
    await db
      .insertInto('admin_operator')
      .values({
        id,
        username,
        display_name: shown(textClaim(claims, 'name')) ?? username,
        password_hash: null,
        grants: JSON.stringify(grants),
        is_disabled: 0,
        created_at: this.#clock.now(),
        last_login_at: null,
        managed_by: null,
        ...noSecondFactor,
      })
      .execute()
    await db.insertInto('admin_openid_identity').values({ issuer, subject, operator_id: id }).execute()
    await this.#note(tables, actor, 'createOperator', null, await this.#rowOf(tables, username))
    return { operatorId: id }
  }

  async #update(
    tables: TransactionTables,
    before: OperatorRow,
    { grants, name }: { readonly grants: readonly Grant[]; readonly name: string | undefined },
    actor: Actor,
  ): Promise<void> {
    const set = { grants: JSON.stringify(grants), display_name: shown(name) ?? before.display_name }
    if (grants.length === 0) await this.#operators.endSessions(tables, before.username)
    if (set.grants === before.grants && set.display_name === before.display_name) return
    await tables
      .tables<AdministrationTables>()
      .updateTable('admin_operator')
      .set(set)
      .where('id', '=', before.id)
      .execute()
    await this.#note(tables, actor, 'updateOperator', before, { ...before, ...set })
  }

  async #rowOf(tables: TransactionTables, username: string): Promise<OperatorRow> {
    const row = await this.#operators.rowOf(tables, username)
    if (row === undefined) throw new Error(`the operator ${username} is gone within a transaction`)
    return row
  }

  #note(
    tables: TransactionTables,
    actor: Actor,
    action: string,
    before: OperatorRow | null,
    after: OperatorRow,
  ): Promise<void> {
    const entry = {
      actor,
      service: 'administration',
      action,
      target: `/operators/${encodeURIComponent(after.username)}`,
      before: before && operatorOf(before),
      after: operatorOf(after),
    }
    return writeAuditEntry(tables.tables<AuditTables>(), entry, this.#clock.now())
  }
}

const noGrant = { refusal: 'Your claims grant you nothing here: ask whoever configures the provider.' }

/** The provider is in the name, so that nobody chooses the name of somebody else there. */
function usernameOf(claimed: string, provider: string): string {
  const name = claimed.toWellFormed().replace(unnameable, '-')
  return `${name.slice(0, nameLengthMax - provider.length - 1).toWellFormed()}@${provider}`
}

function shown(name: string | undefined): string | undefined {
  return name !== undefined && isStorableText(name) ? name.slice(0, nameLengthMax).toWellFormed() : undefined
}
