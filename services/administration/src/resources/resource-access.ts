import {
  type AdministeredResource,
  isStorableText,
  type PathParameters,
  RequestRefused,
} from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import { services } from '../access/grants.ts'
import { accountsOf, type Identity, may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'

const verbs = { read: 'see', write: 'change', delete: 'delete' } as const

/** Who may do what with the items of one resource. */
export class ResourceAccess {
  readonly #resource: AdministeredResource
  readonly #authentication: Authentication
  readonly #admitted = new WeakMap<FastifyRequest, Identity>()

  constructor(resource: AdministeredResource, authentication: Authentication) {
    this.#resource = resource
    this.#authentication = authentication
  }

  /** A hook that lets callers through who may read or write here, before anything of a body is looked at. */
  admitting(kind: 'read' | 'write' | 'delete', isOwn = this.#resource.isOwn) {
    return async (request: FastifyRequest) => {
      this.#admitted.set(request, await this.#admit(request, kind, isOwn))
    }
  }

  /** Who was admitted by the hook of the route. */
  callerOf(request: FastifyRequest): Identity {
    const identity = this.#admitted.get(request)
    if (identity === undefined) throw new Error('a route was reached without its hook')
    return identity
  }

  /** The services whose items the caller may read; undefined for all items, and where things are of no service. */
  servicesOf(identity: Identity): readonly string[] | undefined {
    const { service, isOfServices } = this.#resource
    if (isOfServices !== true || may(identity, { kind: 'read', service })) return undefined
    return services.filter((one) => may(identity, { kind: 'read', service: one }))
  }

  /** The refusal of what is not there, or may not be known to be there. */
  missing(): RequestRefused {
    return new RequestRefused('not-found', `There is no such ${this.#resource.noun.one}.`)
  }

  /** @throws RequestRefused for a caller who is unknown, or may not do it; for accounts that he may not see as for those that are not there */
  async #admit(
    request: FastifyRequest,
    kind: 'read' | 'write' | 'delete',
    isOwn: AdministeredResource['isOwn'],
  ): Promise<Identity> {
    const { service, accountParameter, idParameter } = this.#resource
    const identity = await this.#authentication.identify(request)
    const params = parametersOf(request)
    if (!Object.values(params).every(isStorableText)) throw this.missing()
    if (isOwn === 'read' && kind === 'read' && params.operator === identity.username) return identity
    if (isOwn === true) {
      // A token that could make tokens would outlive its own withdrawal.
      if (kind === 'write' && identity.session === undefined) {
        throw new RequestRefused('forbidden', 'An API token may not do this: log in.')
      }
      const isHimself = params.operator === identity.username
      if (isHimself && (kind === 'read' || identity.session !== undefined)) return identity
      // A program that logs out leaves no token behind.
      const isItself = identity.tokenId !== undefined && identity.tokenId === params[idParameter]
      if (isHimself && kind === 'delete' && isItself) return identity
    }
    const accountOfPath = accountParameter === undefined ? undefined : params[accountParameter]
    // Whoever administers one account may no more delete it than add it.
    const account = kind === 'delete' && accountParameter === idParameter ? undefined : accountOfPath
    if (may(identity, { kind: kind === 'read' ? kind : 'write', service, account })) return identity
    const isListing = kind === 'read' && accountParameter !== undefined && accountOfPath === undefined
    if (isListing && accountsOf(identity, { kind, service })?.length !== 0) return identity
    if (kind === 'read' && (this.servicesOf(identity) ?? []).length > 0) return identity
    if (accountOfPath !== undefined && !may(identity, { kind: 'read', service, account: accountOfPath })) {
      throw this.missing()
    }
    throw new RequestRefused(
      'forbidden',
      `Your grants do not allow you to ${verbs[kind]} ${this.#resource.noun.many} here.`,
    )
  }
}

/** Fastify types the parameters of a hook by nothing. */
function parametersOf({ params }: FastifyRequest): PathParameters {
  return Object.fromEntries(Object.entries(Object(params)).map(([name, value]) => [name, String(value)]))
}
