import type {
  SnapshotAuthentication,
  SnapshotAuthorizationPolicy,
  SnapshotLocalUser,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { Answer } from '../../exchange/answer.ts'
import { clientNetwork } from '../../exchange/client-network.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { followUp, nameOfFollowUp } from '../../policy/follow-up.ts'
import type { ServiceMemory } from '../../policy/traffic-memory.ts'
import { TooManyChecks } from './check-queue.ts'
import { DirectoryLogin } from './directory-login.ts'
import { ServersUnavailable } from './failover-servers.ts'
import { type FailureLimit, FailureLimits } from './failure-limits.ts'
import { beginningSetCookie, loginSetCookie, loginTokensOf } from './login-cookies.ts'
import { isPassword } from './password-checks.ts'
import { type CheckedUser, LoginRefused, type PasswordRealm } from './password-realm.ts'
import { RadiusLogin } from './radius-login.ts'
import { returnAddressOf } from './return-address.ts'
import { markOf, newId, type PendingLogin, type Session, Sessions, secondsNow } from './session.ts'
import { redirectTo, SignInPages } from './sign-in-pages.ts'

/** What a login attempt has come to: a user, or what the client gets. */
export type Attempt = { readonly user: CheckedUser } | { readonly refused: Answer }

/** How long a client waits who has found too many others waiting, in seconds. */
const retrySeconds = 5

/** A bad password is no attack, and logged below attacks. */
const notice = 5

/** What all ways to log in have in common: users, sessions, pages, limits. */
export class SignIn {
  readonly settings: SnapshotAuthentication
  readonly sessions: Sessions
  readonly pages: SignInPages
  /** Whether passwords are kept with logins, since some servers are told them. */
  readonly keepsPasswords: boolean
  readonly #users: ReadonlyMap<string, SnapshotLocalUser>
  /** Whether anybody can log in: otherwise what has to be protected is refused. */
  readonly hasUsers: boolean
  readonly #realm: PasswordRealm | undefined
  readonly #limits: FailureLimits

  constructor(service: SnapshotService, settings: SnapshotAuthentication, memory: ServiceMemory) {
    this.settings = settings
    this.sessions = new Sessions(service, settings, memory)
    this.pages = new SignInPages(settings.pages, settings.loginPath)
    this.keepsPasswords = settings.policies.some(({ sendsPassword }) => sendsPassword)
    this.#users = new Map((settings.users ?? []).map((user) => [user.name, user]))
    this.#realm = passwordRealmOf(settings)
    this.hasUsers = settings.by !== 'nobody' || this.#realm !== undefined
    this.#limits = new FailureLimits(settings, memory)
  }

  /** The login that a request brings, where it still counts. */
  sessionOf(exchange: Exchange): Session | undefined {
    const session = this.sessions.open(loginTokensOf(exchange).logins, exchange)
    if (session === undefined || this.settings.by !== 'local-users') return session
    const user = this.#users.get(session.user)
    const isSame = user !== undefined && markOf(user.passwordHash) === session.passwordMark
    return isSame ? { ...session, groups: user.groups } : undefined
  }

  /** Whether somebody has this name and this password; a wrong one is counted and logged. */
  async attempt(name: string, password: string, exchange: Exchange): Promise<Attempt> {
    const attempt = this.#limits.attempt(this.#realm?.normalizedName(name) ?? name, exchange)
    if ('attack' in attempt) return { refused: this.#limited(attempt, exchange) }
    try {
      const user = await this.#userOf(name, password, exchange)
      if (user === undefined)
        return { refused: this.failed(exchange, 'The user name or the password is wrong.') }
      attempt.succeed()
      return { user }
    } catch (error) {
      if (error instanceof LoginRefused) return { refused: this.failed(exchange, error.message) }
      const isAway = error instanceof ServersUnavailable
      if (!isAway && !(error instanceof TooManyChecks)) throw error
      attempt.succeed()
      const detail = isAway ? error.message : 'Too many logins wait to be checked.'
      return { refused: this.unavailable(exchange, detail) }
    }
  }

  async #userOf(name: string, password: string, exchange: Exchange): Promise<CheckedUser | undefined> {
    const network = clientNetwork(exchange.clientAddress)
    if (this.#realm !== undefined) {
      return this.#realm.user(name, password, {
        address: exchange.clientAddress,
        network,
        now: () => exchange.runtime.now(),
      })
    }
    const user = this.#users.get(name)
    return (await isPassword(password, user?.passwordHash, network)) ? user : undefined
  }

  /** Lets somebody in: gives the login to the browser, and sends it to where it wanted to go. */
  letIn(
    exchange: Exchange,
    facts: Omit<Session, 'id' | 'begunAt' | 'seenAt' | 'client'>,
    returnTo: string | undefined,
  ): Answer {
    const session = this.sessions.begin(exchange, facts)
    const cookies = [this.setCookie(exchange, session), beginningSetCookie(exchange, '')]
    return returnTo === undefined
      ? this.pages.answer('loggedIn', exchange, { cookies })
      : redirectTo(returnTo, cookies)
  }

  /** The `Set-Cookie` of a login. */
  setCookie(exchange: Exchange, session: Session): string {
    return loginSetCookie(exchange, this.settings, this.sessions.sealed(session), session.persistentSeconds)
  }

  /** What a browser remembers until its user has logged in: the page that he is on his way to, or the one of before where this is none. */
  beginning(exchange: Exchange, policies: readonly SnapshotAuthorizationPolicy[] = []): PendingLogin {
    const before = this.sessions.openBeginning(loginTokensOf(exchange).beginnings, exchange)
    const returnTo = policies.length === 0 ? undefined : returnAddressOf(exchange)
    if (before !== undefined && returnTo === undefined) return before
    const persistent = policies.find(({ isPersistent }) => isPersistent)?.persistentSeconds
    return {
      id: before?.id ?? newId(),
      ...(returnTo === undefined ? {} : { returnTo }),
      ...(persistent === undefined ? {} : { persistentSeconds: persistent }),
      at: secondsNow(exchange),
    }
  }

  /** The `Set-Cookie` that has a browser remember it. */
  beginningCookie(exchange: Exchange, beginning: PendingLogin): string {
    return beginningSetCookie(exchange, this.sessions.sealedBeginning(beginning))
  }

  /** @param detail a sentence for the log; nothing of it is shown */
  failed(exchange: Exchange, detail: string): Answer {
    exchange.violations.push({
      attack: 'Login Failed',
      category: 'Auth Attacks',
      detail,
      action: 'LOG',
      severity: notice,
    })
    return this.pages.answer('loginFailed', exchange)
  }

  /** @param detail a sentence for the log; nothing of it is shown */
  unavailable(exchange: Exchange, detail: string): Answer {
    exchange.violations.push({ attack: 'Service Unavailable', detail })
    return this.pages.answer('unavailable', exchange, { headers: { 'retry-after': String(retrySeconds) } })
  }

  /** The limit holds in every mode, as logins do; the policy says what else follows. */
  #limited({ attack, detail, waitSeconds }: FailureLimit, exchange: Exchange): Answer {
    const { category, logs, followUp: next } = exchange.judge.policy.actionFor(attack)
    const follows = exchange.judge.mode === 'active' ? next : undefined
    if (logs) {
      const what = follows === undefined ? {} : { followUp: nameOfFollowUp(follows) }
      exchange.violations.push({ attack, category, detail, action: 'DENY', ...what })
    }
    if (follows !== undefined) followUp(exchange, follows)
    return {
      ...this.pages.answer('loginFailed', exchange, { headers: { 'retry-after': String(waitSeconds) } }),
      status: 429,
    }
  }
}

/** Who outside is asked for users; undefined where the installation itself knows them, or a provider sends them. */
function passwordRealmOf(settings: SnapshotAuthentication): PasswordRealm | undefined {
  if (settings.by === 'directories') return new DirectoryLogin(settings)
  return settings.radiusServers === undefined ? undefined : new RadiusLogin(settings.radiusServers, settings)
}
