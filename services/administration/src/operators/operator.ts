import type { AdministeredItem, TransactionTables } from '@palisade/platform'
import type { Selectable } from 'kysely'
import { type Grant, readGrants } from '../access/grants.ts'
import type { AdministrationTables } from '../tables.ts'
import type { OpenIdIdentity } from './openid-identity.ts'

/** An operator, as the administration shows him. */
export interface Operator extends AdministeredItem {
  readonly username: string
  readonly displayName: string
  readonly grants: readonly Grant[]
  readonly isDisabled: boolean
  readonly hasPassword: boolean
  /** What a login needs besides the password; an operator who has both chooses. */
  readonly secondFactor: 'totp' | 'passkey' | null
  /** How many passkeys he has. */
  readonly passkeys: number
  /** Who he is at the provider where he signs in; null of one who logs in here. */
  readonly identity: OpenIdIdentity | null
  readonly createdAt: string
  readonly lastLoginAt: string | null
}

/** An operator with what other tables have of him. */
export interface OperatorRow extends Selectable<AdministrationTables['admin_operator']> {
  readonly passkeys: number | null
  readonly issuer: string | null
  readonly subject: string | null
}

/** The operators with what other tables have of them. */
export function selectOperators({ tables }: Pick<TransactionTables, 'tables'>) {
  return tables<AdministrationTables>()
    .selectFrom('admin_operator')
    .selectAll('admin_operator')
    .select((query) => {
      const identity = query
        .selectFrom('admin_openid_identity')
        .whereRef('admin_openid_identity.operator_id', '=', 'admin_operator.id')
      return [
        query
          .selectFrom('admin_passkey')
          .whereRef('admin_passkey.operator_id', '=', 'admin_operator.id')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('passkeys'),
        identity.select('admin_openid_identity.issuer').as('issuer'),
        identity.select('admin_openid_identity.subject').as('subject'),
      ]
    })
}

/** Of an operator who has no authenticator app. */
export const noSecondFactor = { totp_secret: null, totp_confirmed: 0, totp_step: 0 }

/** What a row says of an operator; secrets and the hash of the password stay behind. */
export function operatorOf(row: OperatorRow): Operator {
  return {
    username: row.username,
    displayName: row.display_name,
    grants: readGrants(row.grants),
    isDisabled: row.is_disabled === 1,
    hasPassword: row.password_hash !== null,
    secondFactor: row.totp_confirmed === 1 ? 'totp' : row.passkeys ? 'passkey' : null,
    passkeys: row.passkeys ?? 0,
    identity:
      row.issuer === null || row.subject === null ? null : { issuer: row.issuer, subject: row.subject },
    createdAt: new Date(row.created_at).toISOString(),
    lastLoginAt: row.last_login_at === null ? null : new Date(row.last_login_at).toISOString(),
    managedBy: row.managed_by,
  }
}
