import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallingOperator, OperatorAuthority } from '../http/operator-authority.ts'
import { markAuthenticated } from '../http/unknown-callers.ts'
import { isReadingScope, withRequiredScope } from '../openapi/with-security.ts'
import { RequestRefused } from '../refusal.ts'
import type { ClientCredentials, Grant } from './client-credentials.ts'

/** What the paths below an account have in common, as Fastify gives it. */
export interface AccountPath {
  account_id: string
}

/** What a service tells of its accounts, and of the things below them that requests are about. */
export interface AccountAuthorisationOptions<Path extends AccountPath, Subject> {
  /** Whose accounts they are in the grants of operators, such as `email`. */
  readonly service: string
  readonly credentials: ClientCredentials
  readonly operators: OperatorAuthority
  /** Accepted words before the token in the Authorization header, lower case. */
  readonly schemes: readonly string[]
  /** What a thing below an account is called, as in "There is no such …". */
  readonly noun: string
  readonly accountExists: (accountId: string) => Promise<boolean>
  /** The name of the thing that a path is about; undefined where that is the account itself. */
  readonly nameIn: (path: Path) => string | undefined
  readonly find: (accountId: string, name: string) => Promise<Subject | undefined>
}

/** Accounts by their ids; undefined for all that there are. */
type Accounts = readonly string[] | undefined

/**
 * Decides who may ask what of an account and of the things below it: clients by the scopes and accounts of their access tokens, operators
 * by their grants. A foreign account looks like one that does not exist, and nothing is looked for in it. Services extend it by their own
 * words.
 */
export class AccountAuthorisation<Scope extends string, Path extends AccountPath, Subject extends object> {
  readonly #options: AccountAuthorisationOptions<Path, Subject>
  readonly #subjects = new WeakMap<FastifyRequest, Subject>()
  readonly #opened = new WeakMap<FastifyRequest, { readonly accounts: Accounts }>()

  constructor(options: AccountAuthorisationOptions<Path, Subject>) {
    this.#options = options
  }

  /**
   * A hook that lets a request through whose token has the scope, or whose operator may do what the scope opens, and whose account and what
   * is below it exist for it.
   *
   * @throws RequestRefused unauthenticated, forbidden, not-found; in this order
   */
  require(scope: Scope) {
    const { noun, accountExists, nameIn, find } = this.#options
    const check = async (request: FastifyRequest & { params: Path }, reply: FastifyReply): Promise<void> => {
      keepOutOfCaches(reply)
      const { account_id: accountId } = request.params
      const accounts = await this.#accountsOpenedBy(request, scope, accountId)
      if (!isAmong(accounts, accountId) || !(await accountExists(accountId))) {
        throw new RequestRefused('not-found', 'There is no such account.')
      }
      const name = nameIn(request.params)
      if (name === undefined) return
      const subject = await find(accountId, name)
      if (!subject) throw new RequestRefused('not-found', `There is no such ${noun}.`)
      this.#subjects.set(request, subject)
    }
    return withRequiredScope(scope, check)
  }

  /**
   * A hook for paths that lie below no account: lets a request through whose token has the scope, or whose operator may do what the scope
   * opens for any account.
   *
   * @throws RequestRefused unauthenticated, forbidden; in this order
   */
  requireScope(scope: Scope) {
    return withRequiredScope(scope, async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      keepOutOfCaches(reply)
      this.#opened.set(request, { accounts: await this.#accountsOpenedBy(request, scope) })
    })
  }

  /** The accounts that are open to a request which `requireScope` let through, undefined for all; some of them may not exist. */
  accountsOf(request: FastifyRequest): Accounts {
    const opened = this.#opened.get(request)
    if (!opened) throw new Error('a request was not authorised for a scope')
    return opened.accounts
  }

  /** @param accountId the account that the request is about, where it is about one */
  async #accountsOpenedBy(request: FastifyRequest, scope: Scope, accountId?: string): Promise<Accounts> {
    const { operators, service, credentials, schemes } = this.#options
    const operator = await operators.identify(request)
    if (operator) {
      markAuthenticated(request, operator.caller)
      return accountsOfOperator(operator, { service, scope, accountId })
    }
    const { clientId, scopes, accounts } = await grantOf(request, credentials, schemes)
    markAuthenticated(request, { kind: 'client', name: clientId })
    if (!scopes.includes(scope)) throw insufficientScope(scope)
    return accounts
  }

  /** What a request that was let through is about. */
  protected subjectOf(request: FastifyRequest): Subject {
    const subject = this.#subjects.get(request)
    if (!subject) throw new Error(`a request was not authorised for a ${this.#options.noun}`)
    return subject
  }
}

/** What only some may see is kept by no browser after its user has signed out, and by no cache on the way. */
function keepOutOfCaches(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-store')
}

/**
 * The accounts for which an operator may do what a scope opens to clients.
 *
 * @throws RequestRefused forbidden where he sees the account, if one is meant, and may not do it; of what he does not see nothing is told
 */
function accountsOfOperator(
  operator: CallingOperator,
  of: { readonly service: string; readonly scope: string; readonly accountId: string | undefined },
): Accounts {
  const { service, scope, accountId } = of
  const kind = isReadingScope(scope) ? 'read' : 'write'
  const accounts = operator.accountsIn(service, kind)
  const isAllowed = accountId === undefined ? accounts?.length !== 0 : isAmong(accounts, accountId)
  const isSeen = accountId === undefined || isAmong(operator.accountsIn(service, 'read'), accountId)
  if (isAllowed || !isSeen) return accounts
  const verb = kind === 'read' ? 'see' : 'change'
  throw new RequestRefused('forbidden', `Your grants do not allow you to ${verb} this.`)
}

function isAmong(accounts: Accounts, accountId: string): boolean {
  return accounts === undefined || accounts.includes(accountId)
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
