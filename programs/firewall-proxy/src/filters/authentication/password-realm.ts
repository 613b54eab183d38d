/** Somebody whose name and password were right. */
export interface CheckedUser {
  readonly name: string
  readonly groups: readonly string[]
  /** Of a local user. */
  readonly passwordHash?: string
}

/** Who wants to log in. */
export interface LoginClient {
  readonly address: string
  /** Of the address: clients of one network share how many checks may wait. */
  readonly network: string
  /** The time in milliseconds, by a clock that need not start in 1970. */
  readonly now: () => number
}

/** Users whom servers outside know by name and password. */
export interface PasswordRealm {
  /** The name under which failures are counted: such servers take many spellings for one user. */
  normalizedName(typed: string): string
  /**
   * The user of a name and a password, spelt as the server spells him; undefined where there is none.
   *
   * @throws LoginRefused
   * @throws ServersUnavailable
   * @throws TooManyChecks
   */
  user(typed: string, password: string, client: LoginClient): Promise<CheckedUser | undefined>
}

/** A server refuses a login for another reason than a wrong password. The message is a sentence for the log. */
export class LoginRefused extends Error {}

/** One spelling of a name for all that differ in case, marks and blanks. */
export function normalizedSpelling(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/\s+/g, ' ').trim()
}
