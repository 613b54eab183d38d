import type { FastifyRequest } from 'fastify'
import { callerIsKnown } from '../http/unknown-callers.ts'
import { requiring } from '../openapi/with-security.ts'
import { RequestRefused } from '../refusal.ts'
import type { ClientCredentials, Grant } from './client-credentials.ts'

/** What the paths below an account have in common, as Fastify gives it. */
export interface AccountPath {
  account_id: string
}

/** What a service tells of its accounts, and of the things below them that requests are about. */
export interface AccountAuthorisationOptions<Path extends AccountPath, Subject> {
  readonly credentials: ClientCredentials
  /** Accepted words before the token in the Authorization header, lower case. */
  readonly schemes: readonly string[]
  /** What a thing below an account is called, as in "There is no such …". */
  readonly noun: string
  readonly accountExists: (accountId: string) => Promise<boolean>
  /** The name of the thing that a path is about; undefined where that is the account itself. */
  readonly nameIn: (path: Path) => string | undefined
  readonly find: (accountId: string, name: string) => Promise<Subject | undefined>
}

/**
 * Decides who may ask what of an account and of the things below it. A foreign account looks like one that does not exist,
 * and nothing is looked for in it. Services extend it by their own words.
 */
export class AccountAuthorisation<Scope extends string, Path extends AccountPath, Subject extends object> {
  readonly #options: AccountAuthorisationOptions<Path, Subject>
  readonly #subjects = new WeakMap<FastifyRequest, Subject>()
  readonly #granted = new WeakMap<FastifyRequest, readonly string[]>()

  constructor(options: AccountAuthorisationOptions<Path, Subject>) {
    this.#options = options
  }

  /**
   * A hook that lets a request through whose token has the scope, and whose account and what is below it exist for it.
   *
   * @throws RequestRefused unauthenticated, forbidden, not-found; in this order
   */
  require(scope: Scope) {
    const { noun, accountExists, nameIn, find } = this.#options
    const check = async (request: FastifyRequest & { params: Path }): Promise<void> => {
      const grant = await this.#grantWith(scope, request)
      const { account_id: accountId } = request.params
      if (!grant.accounts.includes(accountId) || !(await accountExists(accountId))) {
        throw new RequestRefused('not-found', 'There is no such account.')
      }
      const name = nameIn(request.params)
      if (name === undefined) return
      const subject = await find(accountId, name)
      if (!subject) throw new RequestRefused('not-found', `There is no such ${noun}.`)
      this.#subjects.set(request, subject)
    }
    return requiring(scope, check)
  }

  /**
   * A hook for paths that lie below no account: lets a request through whose token has the scope.
   *
   * @throws RequestRefused unauthenticated, forbidden; in this order
   */
  requireScope(scope: Scope) {
    return requiring(scope, async (request: FastifyRequest): Promise<void> => {
      const { accounts } = await this.#grantWith(scope, request)
      this.#granted.set(request, accounts)
    })
  }

  /** The accounts that the token of a request opens which `requireScope` let through; some of them may not exist. */
  accountsOf(request: FastifyRequest): readonly string[] {
    const accounts = this.#granted.get(request)
    if (!accounts) throw new Error('a request was not authorised for a scope')
    return accounts
  }

  async #grantWith(scope: Scope, request: FastifyRequest): Promise<Grant> {
    const { credentials, schemes } = this.#options
    const grant = await grantOf(request, credentials, schemes)
    callerIsKnown(request, { kind: 'client', name: grant.clientId })
    if (!grant.scopes.includes(scope)) throw insufficientScope(scope)
    return grant
  }

  /** What a request that was let through is about. */
  protected subjectOf(request: FastifyRequest): Subject {
    const subject = this.#subjects.get(request)
    if (!subject) throw new Error(`a request was not authorised for a ${this.#options.noun}`)
    return subject
  }
}

/**
 * The grant behind a request's access token.
 *
 * @throws RequestRefused unauthenticated when the token is missing, unknown or expired (RFC 6750, section 3)
 */
async function grantOf(
  request: FastifyRequest,
  credentials: ClientCredentials,
  schemes: readonly string[],
): Promise<Grant> {
  const [, scheme = '', token = ''] = /^(\S+) +(\S+) *$/.exec(request.headers.authorization ?? '') ?? []
  if (!schemes.includes(scheme.toLowerCase())) {
    throw new RequestRefused('unauthenticated', 'An access token is required: Authorization: Bearer …', {
      headers: { 'www-authenticate': 'Bearer realm="palisade"' },
    })
  }
  const grant = await credentials.grantOf(token)
  if (grant) return grant
  throw new RequestRefused('unauthenticated', 'The access token is unknown or has expired.', {
    headers: { 'www-authenticate': 'Bearer realm="palisade", error="invalid_token"' },
  })
}

/** Names the scope that a grant lacks (RFC 6750, section 3.1). */
function insufficientScope(scope: string): RequestRefused {
  return new RequestRefused('forbidden', `The access token lacks the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="palisade", error="insufficient_scope", scope="${scope}"` },
  })
}
