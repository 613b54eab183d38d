import { RequestRefused, type TransactionTables } from '@palisade/platform'
import type { AdministrationTables } from '../tables.ts'

/** Somebody whom a provider of OpenID Connect knows. */
export interface OpenIdIdentity {
  /** `iss` of his ID tokens. */
  readonly issuer: string
  /** `sub` of his ID tokens, which the issuer gives nobody else. */
  readonly subject: string
}

/** Whom a configuration file names logs in here from then on. */
export async function detachIdentity({ tables }: TransactionTables, username: string): Promise<void> {
  const db = tables<AdministrationTables>()
  await db
    .updateTable('admin_openid_identity')
    .set({ operator_id: null })
    .where('operator_id', 'in', db.selectFrom('admin_operator').select('id').where('username', '=', username))
    .execute()
}

/**
 * Gives an operator an identity, also one whose operator was removed.
 *
 * @throws RequestRefused conflict when another operator has it
 */
export async function attachIdentity(
  { tables }: TransactionTables,
  operatorId: string,
  identity: OpenIdIdentity,
): Promise<void> {
  const { numInsertedOrUpdatedRows = 0n } = await tables<AdministrationTables>()
    .insertInto('admin_openid_identity')
    .values({ ...identity, operator_id: operatorId })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet({ operator_id: operatorId })
        .where('admin_openid_identity.operator_id', 'is', null),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows > 0n) return
  throw new RequestRefused('conflict', 'Another operator has this identity.', { field: 'identity' })
}

/**
 * @param issuer where the operator signs in; undefined for one who logs in here
 * @throws RequestRefused conflict where that provider decides on what is to be changed
 */
export function refuseWhatProviderSays(
  issuer: string | null | undefined,
  change: Readonly<Record<'password' | 'grants', unknown>>,
): void {
  if (issuer == null) return
  for (const field of ['password', 'grants'] as const) {
    if (change[field] === undefined) continue
    throw new RequestRefused(
      'conflict',
      `He signs in at ${issuer}, which decides on his ${field}: change it there.`,
      { field },
    )
  }
}
