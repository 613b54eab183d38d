import { type ClientCredentials, RequestRefused, requireGrant, requireScope } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { Accounts, DomainRecord } from './accounts.ts'

export type Scope = 'ess:account:read' | 'ess:account:write'

/** The addresses below an account, as Fastify gives them. */
export interface AccountParams {
  account_id: string
  /** An id, which is all digits, or else a name. */
  domain?: string
}

/** Decides who may ask what. Foreign accounts and domains look like those that do not exist. */
export class Authorisation {
  readonly #credentials: ClientCredentials
  readonly #accounts: Accounts
  readonly #asked = new WeakMap<FastifyRequest, DomainRecord>()

  constructor(deps: { credentials: ClientCredentials; accounts: Accounts }) {
    this.#credentials = deps.credentials
    this.#accounts = deps.accounts
  }

  /**
   * A hook that lets a request through whose token has the scope, and whose account and domain exist for it.
   *
   * @throws RequestRefused unauthenticated, forbidden, not-found; in this order
   */
  require(scope: Scope) {
    return async (request: FastifyRequest<{ Params: AccountParams }>): Promise<void> => {
      const grant = await requireGrant(request, { credentials: this.#credentials, schemes: ['bearer'] })
      requireScope(grant, scope)
      const { account_id: accountId, domain: idOrName } = request.params
      if (!grant.accounts.includes(accountId) || !(await this.#accounts.exists(accountId))) {
        throw new RequestRefused('not-found', 'There is no such account.')
      }
      if (idOrName === undefined) return
      const domain = await this.#accounts.domain(accountId, idOrName)
      if (!domain) throw new RequestRefused('not-found', 'There is no such domain.')
      this.#asked.set(request, domain)
    }
  }

  /** The domain that a request which was let through is about. */
  domainOf(request: FastifyRequest): DomainRecord {
    const domain = this.#asked.get(request)
    if (!domain) throw new Error('a request was not authorised for a domain')
    return domain
  }
}
