import { type ClientCredentials, RequestRefused, requireGrant, requireScope } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { Computer, Computers } from '../computers/computers.ts'

export type Scope = 'accounts_read' | 'computers_read' | 'computers_write'

/** The addresses below an account, as Fastify gives them. */
export interface AccountParams {
  account_id: string
  computer_id?: string
}

/**
 * Decides who may ask what. A foreign account and one that does not exist look the same; so do foreign and missing
 * computers.
 */
export class Authorisation {
  readonly #credentials: ClientCredentials
  readonly #computers: Computers
  readonly #asked = new WeakMap<FastifyRequest, Computer>()

  constructor(deps: { credentials: ClientCredentials; computers: Computers }) {
    this.#credentials = deps.credentials
    this.#computers = deps.computers
  }

  /**
   * A hook that lets a request through whose token has the scope, and whose account and computer exist for it.
   *
   * @throws RequestRefused unauthenticated, forbidden, not-found; in this order
   */
  require(scope: Scope) {
    return async (request: FastifyRequest<{ Params: AccountParams }>): Promise<void> => {
      const grant = await requireGrant(request, {
        credentials: this.#credentials,
        schemes: ['bearer', 'oauth'],
      })
      requireScope(grant, scope)
      const { account_id: accountId, computer_id: computerId } = request.params
      if (!grant.accounts.includes(accountId) || !(await this.#computers.accountExists(accountId))) {
        throw new RequestRefused('not-found', 'There is no such account.')
      }
      if (computerId === undefined) return
      const computer = await this.#computers.find({ accountId, computerId })
      if (!computer) throw new RequestRefused('not-found', 'There is no such computer.')
      this.#asked.set(request, computer)
    }
  }

  /** The computer that a request which was let through is about. */
  computerOf(request: FastifyRequest): Computer {
    const computer = this.#asked.get(request)
    if (!computer) throw new Error('a request was not authorised for a computer')
    return computer
  }
}
