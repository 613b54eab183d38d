import { HashingQueue, networkName, type Passwords, type Problem, problemAt } from '@palisade/platform'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { FirewallConfiguration } from '../configuration.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { completeContent } from '../objects/content.ts'
import type { LoginLockouts } from './login-lockouts.ts'
import { passwordHasExpired } from './password-policy.ts'

/** Somebody who may log in: a user object of the configuration. */
export interface Administrator {
  readonly username: string
  /** argon2id, in the PHC string format. */
  readonly passwordHash: string
  /** The name of an administrator-role object. */
  readonly role: string
}

/** Who changes the configuration when the configuration file does. */
const configurationFile = { username: '(configuration file)', role: '', address: '' }

/** Who may log in. */
export class Administrators {
  readonly #configuration: LiveConfiguration
  readonly #userKind: CompiledKind
  readonly #roleKind: CompiledKind
  readonly #passwords: Passwords
  readonly #lockouts: LoginLockouts
  readonly #now: () => number
  /** Between the networks that logins come from: a crowd from one keeps nobody elsewhere waiting. */
  readonly #turns = new HashingQueue()

  constructor(deps: {
    configuration: LiveConfiguration
    passwords: Passwords
    lockouts: LoginLockouts
    now: () => number
  }) {
    this.#configuration = deps.configuration
    this.#userKind = deps.configuration.kind('user')
    this.#roleKind = deps.configuration.kind('administrator-role')
    this.#passwords = deps.passwords
    this.#lockouts = deps.lockouts
    this.#now = deps.now
  }

  /** Who is given a role that is not there. */
  problems(administrators: FirewallConfiguration['administrators']): Problem[] {
    return administrators.flatMap(({ role }, index) => {
      if (this.#configuration.snapshot.object(this.#roleKind, [role])) return []
      const roles = [...(this.#configuration.snapshot.collection(this.#roleKind, []) ?? [])].map(
        ({ name }) => name,
      )
      return [
        problemAt(
          ['firewall', 'administrators', index, 'role'],
          `must be one of the roles that there are: ${roles.join(', ')}`,
        ),
      ]
    })
  }

  /** Adds the administrators or brings them to what is given; deletes none. Their roles have to be there. */
  async provision(administrators: FirewallConfiguration['administrators']): Promise<void> {
    for (const { username, password, role } of administrators) {
      const stored = this.find(username)
      const isUnchanged = await this.#passwords.matches(password, stored?.passwordHash)
      if (stored && isUnchanged && stored.role === role) continue
      const hash = stored && isUnchanged ? stored.passwordHash : await this.#passwords.hash(password)
      const object = { kind: this.#userKind, path: [username] }
      await this.#configuration.change(configurationFile, (snapshot) => {
        const before = snapshot.object(this.#userKind, [username])?.content.values
        const values = { ...before, name: username, password: hash, role, 'password-changed-at': this.#now() }
        return {
          action: before ? 'update' : 'create',
          object,
          writes: [{ ...object, content: completeContent(this.#userKind, { values }) }],
          changes: [{ section: undefined, member: 'role', before: before?.role, after: role }],
        }
      })
    }
  }

  find(username: string): Administrator | undefined {
    const object = this.#configuration.snapshot.object(this.#userKind, [username])
    if (!object) return undefined
    const { password, role } = object.content.values
    return { username, passwordHash: String(password ?? ''), role: String(role ?? '') }
  }

  /**
   * The administrator with this name and password, found or not after the same work. Nobody is found while the
   * name is locked for the address after too many failures, or when the password has expired.
   *
   * @param address where the login comes from
   * @throws RequestRefused too-many-requests while failures with the same name and from there have others wait
   */
  authenticate(username: string, password: string, address: string): Promise<Administrator | undefined> {
    return this.#lockouts.attempt(username, address, () =>
      this.#turns.run(networkName(address), () => this.#withPassword(username, password)),
    )
  }

  async #withPassword(username: string, password: string): Promise<Administrator | undefined> {
    const administrator = this.find(username)
    const isAuthentic = await this.#passwords.matches(password, administrator?.passwordHash)
    return isAuthentic && administrator && !this.#hasExpired(username) ? administrator : undefined
  }

  #hasExpired(username: string): boolean {
    const { snapshot } = this.#configuration
    const changedAt = snapshot.object(this.#userKind, [username])?.content.values['password-changed-at']
    return passwordHasExpired(this.#configuration.system(), Number(changedAt ?? this.#now()), this.#now())
  }
}
