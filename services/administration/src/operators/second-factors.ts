import { type Clock, RequestRefused, TextSeal, type TransactionTables } from '@palisade/platform'
import type { Selectable } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { AdministrationTables } from '../tables.ts'

type OperatorRow = Selectable<AdministrationTables['admin_operator']>

const periodSeconds = 30
/** Codes of so many time steps before and after this one are taken, for clocks that differ (RFC 6238, section 5.2). */
const stepsAside = 1
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20

/** Codes of an authenticator app as a second factor (TOTP, RFC 6238: SHA-1, six digits, thirty seconds). */
export class SecondFactors {
  readonly #clock: Clock
  readonly #seal: TextSeal

  /** @param key 32 bytes that only this installation knows */
  constructor({ clock, key }: { clock: Clock; key: Buffer }) {
    this.#clock = clock
    this.#seal = new TextSeal(key, 'palisade-administration/second-factor')
  }

  /**
   * Gives an operator a secret for an authenticator, which counts once he has confirmed it with a code.
   *
   * @returns the secret in base32, and the same as an address that authenticators read as a QR code
   */
  async begin(
    { tables }: TransactionTables,
    operator: OperatorRow,
  ): Promise<{ secret: string; address: string }> {
    if (operator.totp_confirmed === 1) {
      throw new RequestRefused('conflict', 'There is a second factor already: remove it first.')
    }
    const totp = totpOf(operator.username, new Secret({ size: secretBytes }))
    await tables<AdministrationTables>()
      .updateTable('admin_operator')
      .set({ totp_secret: this.#seal.seal(totp.secret.base32), totp_confirmed: 0, totp_step: 0 })
      .where('id', '=', operator.id)
      .execute()
    return { secret: totp.secret.base32, address: totp.toString() }
  }

  /**
   * From now on each login of the operator needs a code.
   *
   * @param operator as he was when a code of his authenticator was taken
   */
  async confirm({ tables }: TransactionTables, operator: OperatorRow): Promise<void> {
    const { numUpdatedRows } = await tables<AdministrationTables>()
      .updateTable('admin_operator')
      .set({ totp_confirmed: 1 })
      .where('id', '=', operator.id)
      .where('totp_secret', '=', operator.totp_secret)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw wrongCode()
  }

  async remove({ tables }: TransactionTables, operator: OperatorRow): Promise<void> {
    await tables<AdministrationTables>()
      .updateTable('admin_operator')
      .set({ totp_secret: null, totp_confirmed: 0, totp_step: 0 })
      .where('id', '=', operator.id)
      .execute()
  }

  /**
   * Takes a code, which is then no use to anybody who has seen it.
   *
   * @returns whether it was right and not taken before
   */
  async take(
    { tables }: Pick<TransactionTables, 'tables'>,
    operator: OperatorRow,
    code: string,
  ): Promise<boolean> {
    if (operator.totp_secret === null) return false
    const totp = totpOf(operator.username, Secret.fromBase32(this.#seal.open(operator.totp_secret)))
    const timestamp = this.#clock.now()
    const aside = totp.validate({ token: code, timestamp, window: stepsAside })
    if (aside === null) return false
    const step = TOTP.counter({ timestamp, period: periodSeconds }) + aside
    const { numUpdatedRows } = await tables<AdministrationTables>()
      .updateTable('admin_operator')
      .set({ totp_step: step })
      .where('id', '=', operator.id)
      .where('totp_step', '<', step)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

/** Refuses a code of an authenticator app (400, field `code`), and does not say which of the reasons it was. */
export function wrongCode(): RequestRefused {
  return new RequestRefused(
    'bad-request',
    'The code is wrong, too old, or was used before: wait for the next one.',
    {
      field: 'code',
    },
  )
}

function totpOf(username: string, secret: Secret): TOTP {
  return new TOTP({
    issuer: 'Palisade',
    label: username,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret,
  })
}
