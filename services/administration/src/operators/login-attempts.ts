import { type Clock, FailedLogins, isStorableText, RequestRefused, type Store } from '@palisade/platform'
import type { AdministrationTables } from '../tables.ts'
import type { RefusedLogin, RefusedLogins } from './refused-logins.ts'

/** How many wrong passwords and codes may be sent of one operator who is known by then, from wherever. */
const wrongGuessLimit = { failuresMax: 10, windowMs: 15 * 60_000 }

/** What the audit log is told of a login that is refused; a login adds what it finds out. */
export interface LoginTry {
  readonly address: string
  /** The name that was sent. */
  readonly username?: string | undefined
  /** Who he is, where he is known otherwise. */
  operatorId?: string | undefined
  /** The provider of OpenID Connect that the browser comes from, and whom that has let in. */
  readonly provider?: string
  subject?: string
}

/** Of these refusals the audit log tells. */
const refusing: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'too-many-requests'])

/**
 * Makes guessing slow, at logins and in sessions alike: each address may fail so many times, and an operator of whom something is known
 * already, such as his password or his session, may be guessed at so many times from all of them. Further attempts are answered 429. What is
 * refused is in the audit log.
 */
export class LoginAttempts {
  readonly #ofAddress: FailedLogins
  readonly #ofOperator: FailedLogins
  readonly #store: Store
  readonly #refused: RefusedLogins

  constructor({ store, clock, refused }: { store: Store; clock: Clock; refused: RefusedLogins }) {
    this.#ofAddress = new FailedLogins(clock)
    this.#ofOperator = new FailedLogins(clock, wrongGuessLimit)
    this.#store = store
    this.#refused = refused
  }

  /**
   * Runs one login from an address. It has failed when it throws a refusal with the code `unauthenticated`.
   *
   * @throws RequestRefused too-many-requests when the address has failed too often; then nothing was run
   */
  logIn<T>(tried: LoginTry, login: () => Promise<T>): Promise<T> {
    return this.#attempt('refuseLogIn', tried, login)
  }

  /** Within a login: what comes after the operator has shown something. Fails as {@link logIn}, and is counted for the operator. */
  guess<T>(operatorId: string, check: () => Promise<T>): Promise<T> {
    // Whoever has the password may be at many addresses, and guess codes from all of them.
    return this.#ofOperator.attempt(operatorId, check)
  }

  /**
   * Asks somebody who has a session for his password or a code once more. Whoever has found an open session guesses no faster than at a
   * login.
   *
   * @param isRight checks what was sent
   * @param refusal of what is wrong
   * @throws RequestRefused the refusal; too-many-requests when the address or the operator has failed too often
   */
  async confirm(
    caller: { readonly address: string; readonly operatorId: string },
    isRight: () => Promise<boolean>,
    refusal: RequestRefused,
  ): Promise<void> {
    const wrong = new RequestRefused('unauthenticated', refusal.message)
    const ask = async () => {
      if (!(await isRight())) throw wrong
    }
    try {
      await this.#attempt('refuseConfirmation', caller, () => this.guess(caller.operatorId, ask))
    } catch (error) {
      throw error === wrong ? refusal : error
    }
  }

  async #attempt<T>(action: RefusedLogin['action'], tried: LoginTry, login: () => Promise<T>): Promise<T> {
    let hasBegun = false
    try {
      return await this.#ofAddress.attempt(tried.address, () => {
        hasBegun = true
        return login()
      })
    } catch (error) {
      if (error instanceof RequestRefused && refusing.has(error.code)) {
        // An address that is refused whatever it sends costs the store nothing, and nobody was tried.
        const operator =
          hasBegun || action === 'refuseConfirmation' ? await this.#operatorOf(tried) : undefined
        const { address, provider, subject } = tried
        const reason = operator?.is_disabled === 1 ? 'The operator is disabled.' : error.message
        const username = operator?.username ?? null
        await this.#refused.note({ address, action, username, provider, subject, reason })
      }
      throw error
    }
  }

  #operatorOf({ username = '', operatorId }: LoginTry) {
    const operators = this.#store
      .tables<AdministrationTables>()
      .selectFrom('admin_operator')
      .select(['username', 'is_disabled'])
    const matching =
      operatorId === undefined
        ? operators.where('username', '=', isStorableText(username) ? username : '')
        : operators.where('id', '=', operatorId)
    return matching.executeTakeFirst()
  }
}
