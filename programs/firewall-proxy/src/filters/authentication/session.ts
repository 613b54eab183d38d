import { createHash, randomBytes } from 'node:crypto'
import type { SnapshotAuthentication, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange, User } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import type { ServiceMemory } from '../../policy/traffic-memory.ts'
import { Sealer } from '../sealer.ts'

/** How long a login counts at most where the service does not say it: a day. */
const lifetimeSecondsDefault = 86_400

/** How long somebody may take to log in. */
const beginningSeconds = 3_600

/** What a login is made of; the client keeps it, sealed. */
export interface Session {
  /** Stays the same while the session is prolonged. */
  readonly id: string
  readonly user: string
  /** Of a local user: changes with the password. */
  readonly passwordMark?: string
  /** What an OpenID provider or a directory said: groups, and what access rules ask for. */
  readonly groups?: readonly string[]
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** Present where servers are told it. */
  readonly password?: string
  /** In seconds since 1970. */
  readonly begunAt: number
  readonly seenAt: number
  /** The client that it was made with, where it is good for that alone. */
  readonly client?: string
  /** For how long the browser keeps it; as long as it runs where absent. */
  readonly persistentSeconds?: number
}

/** What is known of somebody who is about to log in. */
export interface PendingLogin {
  /** Tells the browser from all others. */
  readonly id: string
  /** Where he goes afterwards: path and query at this host. */
  readonly returnTo?: string
  readonly persistentSeconds?: number
  /** In seconds since 1970. */
  readonly at: number
}

/** Seals what clients keep of logins, and opens what they bring. */
export class Sessions {
  readonly #settings: SnapshotAuthentication
  readonly #sealer: Sealer
  readonly #memory: ServiceMemory
  /** Services of which these are the same share logins. */
  readonly #scope: string

  constructor(service: SnapshotService, settings: SnapshotAuthentication, memory: ServiceMemory) {
    this.#settings = settings
    this.#memory = memory
    this.#sealer = new Sealer(settings.keys, 'login')
    const place =
      settings.cookieDomain === undefined
        ? ['application', service.application ?? service.name]
        : ['domain', settings.cookieDomain.toLowerCase()]
    const { issuer, clientId } = settings.provider ?? {}
    const bases = (settings.directories ?? []).map(({ baseDn }) => baseDn)
    this.#scope = JSON.stringify([...place, settings.realm, issuer, clientId, ...bases])
  }

  /** A login that has just been made. */
  begin(exchange: Exchange, facts: Omit<Session, 'id' | 'begunAt' | 'seenAt' | 'client'>): Session {
    const now = secondsNow(exchange)
    const client = this.#settings.bindsToClient ? { client: clientOf(exchange) } : {}
    return { ...facts, ...client, id: newId(), begunAt: now, seenAt: now }
  }

  sealed(session: Session): string {
    return this.#sealer.seal(JSON.stringify(session), this.#scope)
  }

  /** The first login that is good, of those that a client brings. */
  open(tokens: readonly string[], exchange: Exchange): Session | undefined {
    for (const token of tokens) {
      const session = this.#opened<Session>(token, this.#scope)
      if (session !== undefined && this.#counts(session, exchange)) return session
    }
    return undefined
  }

  /** The session with the present as the last time that its client was seen; undefined where that need not be told yet. */
  prolonged(session: Session, exchange: Exchange): Session | undefined {
    const now = secondsNow(exchange)
    const { updateSeconds, idleSeconds } = this.#settings
    // Sooner where the login would have ended before.
    const isRecent = now - session.seenAt < Math.min(updateSeconds, idleSeconds / 2)
    return isRecent ? undefined : { ...session, seenAt: now }
  }

  /** Ends it on all services that share it, as far as this proxy carries them. */
  end(session: Session, exchange: Exchange): void {
    const { idleSeconds, updateSeconds } = this.#settings
    const until = exchange.runtime.now() + (idleSeconds + updateSeconds) * 1000
    this.#memory.endLogin(this.#scope, session.id, until)
  }

  /** What somebody is told to keep who is about to log in. */
  sealedBeginning(beginning: PendingLogin): string {
    return this.#sealer.seal(JSON.stringify(beginning), this.#contextOf('beginning'))
  }

  /** The first beginning that is still good. */
  openBeginning(tokens: readonly string[], exchange: Exchange): PendingLogin | undefined {
    return this.#openRecent(tokens, 'beginning', exchange)
  }

  /** Seals what goes through an OpenID provider and back. */
  sealedState(state: PendingLogin): string {
    return this.#sealer.seal(JSON.stringify(state), this.#contextOf('state'))
  }

  /** @returns undefined for what was not sealed here, or is too old */
  openState<State extends PendingLogin>(token: string, exchange: Exchange): State | undefined {
    return this.#openRecent<State>([token], 'state', exchange)
  }

  #openRecent<Given extends PendingLogin>(
    tokens: readonly string[],
    use: string,
    exchange: Exchange,
  ): Given | undefined {
    return tokens
      .map((token) => this.#opened<Given>(token, this.#contextOf(use)))
      .find((one) => one !== undefined && secondsNow(exchange) - one.at < beginningSeconds)
  }

  #contextOf(use: string): string {
    return `${use} ${this.#scope}`
  }

  #opened<Given>(token: string, context: string): Given | undefined {
    const text = this.#sealer.open(token, context)
    return text === undefined ? undefined : JSON.parse(text)
  }

  #counts({ id, begunAt, seenAt, client }: Session, exchange: Exchange): boolean {
    const { idleSeconds, lifetimeSeconds = lifetimeSecondsDefault, bindsToClient } = this.#settings
    const now = secondsNow(exchange)
    if (now - seenAt >= idleSeconds || now - begunAt >= lifetimeSeconds) return false
    if (bindsToClient && client !== clientOf(exchange)) return false
    return !this.#memory.hasEnded(this.#scope, id, exchange.runtime.now())
  }
}

/** What nobody can guess. */
export function newId(): string {
  return randomBytes(16).toString('base64url')
}

/** In seconds since 1970. */
export function secondsNow({ runtime }: Exchange): number {
  return Math.floor(runtime.now() / 1000)
}

/** Changes with the password, and tells nothing of it. @param passwordHash as it is kept */
export function markOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16)
}

/** The user as requests have him. */
export function userOf({ user, groups = [] }: Pick<Session, 'user' | 'groups'>): User {
  return { name: user, groups }
}

/** A client as replays are noticed by: its address and what it calls itself. */
function clientOf({ clientAddress, headers }: Exchange): string {
  const agent = headerValue(headers, 'user-agent') ?? ''
  return createHash('sha256').update(`${clientAddress}\n${agent}`).digest('base64url').slice(0, 16)
}
