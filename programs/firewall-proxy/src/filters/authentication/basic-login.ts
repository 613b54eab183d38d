import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import type { CheckedUser } from './password-realm.ts'
import type { Attempt, SignIn } from './sign-in.ts'

/** How long and for how many clients it is remembered that a password was right: checking one anew takes as long as hundreds of requests. */
const rememberedMs = 5 * 60_000
const rememberedMax = 1_000

/** A name and a password as a request brings them. */
export interface Credentials {
  readonly name: string
  readonly password: string
}

/** Logins by HTTP Basic Authentication (RFC 7617), which every request brings anew. */
export class BasicLogins {
  readonly #signIn: SignIn
  /** Of this process and these users alone, so that what is remembered tells nobody anything. */
  readonly #key = randomBytes(32)
  /** By digests of credentials. */
  readonly #remembered = new LRUCache<string, { readonly user: CheckedUser; readonly until: number }>({
    max: rememberedMax,
  })
  readonly #checks = new Map<string, Promise<Attempt>>()

  constructor(signIn: SignIn) {
    this.#signIn = signIn
  }

  /** The user of these credentials, where they were found right a while ago. */
  remembered(credentials: Credentials, exchange: Exchange): CheckedUser | undefined {
    const entry = this.#remembered.get(this.#digestOf(credentials))
    return entry !== undefined && exchange.runtime.now() < entry.until ? entry.user : undefined
  }

  /** Checks credentials; those of requests that come at once are checked once. */
  async check(credentials: Credentials, exchange: Exchange): Promise<Attempt> {
    const digest = this.#digestOf(credentials)
    const running = this.#checks.get(digest)
    if (running !== undefined) {
      const attempt = await running
      return 'user' in attempt ? attempt : { refused: this.challenge(exchange) }
    }
    const check = this.#signIn.attempt(credentials.name, credentials.password, exchange)
    this.#checks.set(digest, check)
    try {
      const attempt = await check
      if ('user' in attempt) {
        this.#remembered.set(digest, { user: attempt.user, until: exchange.runtime.now() + rememberedMs })
        return attempt
      }
      return { refused: attempt.refused.status === 403 ? this.challenge(exchange) : attempt.refused }
    } finally {
      this.#checks.delete(digest)
    }
  }

  /** Asks a client for a name and a password. */
  challenge(exchange: Exchange): Answer {
    return this.#signIn.pages.answer('loginFailed', exchange, {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Log in", charset="UTF-8"' },
    })
  }

  #digestOf({ name, password }: Credentials): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([name, password]))
      .digest('base64url')
  }
}

/** @returns undefined without any, and where it is not clear which are meant */
export function credentialsOf({ headers }: Exchange): Credentials | undefined {
  const [value, ...others] = headerValues(headers, 'authorization')
  const [, encoded] = /^basic +([a-z0-9+/=_-]+) *$/i.exec(value ?? '') ?? []
  if (encoded === undefined || others.length > 0) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const sign = text.indexOf(':')
  return sign < 0 ? undefined : { name: text.slice(0, sign), password: text.slice(sign + 1) }
}
