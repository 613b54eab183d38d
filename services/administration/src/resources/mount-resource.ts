import {
  type AdministeredItem,
  type AdministeredResource,
  type AuditTables,
  type Clock,
  clientAddress,
  exampleOf,
  isStorableText,
  operatorSecurity,
  type PathParameters,
  RequestRefused,
  type ResourceAction,
  type Store,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { services } from '../access/grants.ts'
import { accountsOf, credentialOf, type Identity, may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'
import { entityTagOf, requireMatch } from './entity-tag.ts'
import { cursorOf, pageQuery, readPageRequest } from './page.ts'

/** What the routes of a resource work with. */
export interface ResourceDependencies {
  readonly authentication: Authentication
  readonly store: Store
  readonly clock: Clock
  /** Where the administration lies, such as "/admin/v1". */
  readonly basePath: string
}

interface ResourceRequest {
  Params: Record<string, string>
  Querystring: Record<string, unknown>
  Body: unknown
}

type Request = FastifyRequest<ResourceRequest>

/** Adds the routes of a collection and of the things in it, as far as there are any. */
export function mountResource(
  scope: FastifyInstance,
  resource: AdministeredResource,
  deps: ResourceDependencies,
): void {
  const routes = new ResourceRoutes(resource, deps)
  const { path, idParameter, noun, item, secrets, creation, change } = resource
  const title = titleOf(noun.one)
  const onePath = `${path}/:${idParameter}`
  const tags = [noun.many]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = (own: readonly string[]) =>
    own.length === 0
      ? {}
      : { params: Type.Object(Object.fromEntries(own.map((name) => [name, Type.String()]))) }
  const reading = { onRequest: routes.admitting('read') }
  const writing = { onRequest: routes.admitting('write') }
  const deleting = { onRequest: routes.admitting('delete') }
  const ofMany = { tags, security: operatorSecurity, ...params(names) }
  const ofOne = { tags, security: operatorSecurity, ...params([...names, idParameter]) }
  const matching = Type.Object({
    'if-match': Type.String({ description: 'the ETag of the state that is changed, or *' }),
  })

  const page = Type.Object(
    {
      items: Type.Array(item),
      next: Type.Union([Type.String(), Type.Null()], { examples: ['WyJ1c2VybmFtZSIsImFkYSIsImFkYSJd'] }),
    },
    { title: `${title}Page` },
  )
  scope.get<ResourceRequest>(
    path,
    {
      ...reading,
      schema: {
        ...ofMany,
        operationId: `list${titleOf(noun.many)}`,
        summary: `List ${noun.many}`,
        querystring: pageQuery(resource),
        response: { 200: page },
      },
    },
    (request) => routes.list(request),
  )
  scope.get<ResourceRequest>(
    onePath,
    {
      ...reading,
      schema: {
        ...ofOne,
        operationId: `get${title}`,
        summary: `Read one ${noun.one}`,
        response: { 200: item },
      },
    },
    (request, reply) => routes.read(request, reply),
  )
  if (creation) {
    scope.post<ResourceRequest>(
      path,
      {
        ...writing,
        schema: {
          ...ofMany,
          operationId: `create${title}`,
          summary: `Add one ${noun.one}`,
          body: creation,
          response: { 201: withSecrets(item, secrets, `${title}Created`) },
        },
      },
      (request, reply) => routes.create(request, reply),
    )
  }
  if (change) {
    scope.patch<ResourceRequest>(
      onePath,
      {
        ...writing,
        schema: {
          ...ofOne,
          operationId: `update${title}`,
          summary: `Change one ${noun.one}`,
          headers: matching,
          body: change,
          response: { 200: item },
        },
      },
      (request, reply) => routes.update(request, reply),
    )
  }
  if (resource.remove) {
    const preview = Type.Object(
      { losses: Type.Array(Type.String(), { examples: [['its API tokens']] }) },
      { title: 'Losses' },
    )
    scope.delete<ResourceRequest>(
      onePath,
      {
        ...deleting,
        schema: {
          ...ofOne,
          operationId: `delete${title}`,
          summary: `Delete one ${noun.one}, or tell what would be lost with it`,
          headers: matching,
          querystring: Type.Object({
            preview: Type.Optional(
              Type.Enum(['true'], { description: 'tells what would be lost, and deletes nothing' }),
            ),
          }),
          response: { 200: preview, 204: Type.Null({ description: 'it is gone' }) },
        },
      },
      (request, reply) => routes.remove(request, reply),
    )
  }
  for (const action of resource.actions ?? []) {
    const actionTitle = titleOf(action.name)
    scope.post<ResourceRequest>(
      `${onePath}/${action.name}`,
      {
        onRequest: routes.admitting(action.isForReaders === true ? 'read' : 'write', action.isOwn),
        schema: {
          ...ofOne,
          operationId: operationOf(action, title),
          summary: action.summary,
          ...(action.body ? { body: action.body } : {}),
          response: { 200: withSecrets(item, action.secrets, `${title}After${actionTitle}`) },
        },
      },
      (request) => routes.perform(request, action),
    )
  }
}

function withSecrets(
  item: AdministeredResource['item'],
  secrets: AdministeredResource['secrets'],
  title: string,
): TSchema {
  if (secrets === undefined) return item
  const examples = [{ ...Object(exampleOf(item)), ...Object(exampleOf(secrets)) }]
  return Type.Object({ ...item.properties, ...secrets.properties }, { title, examples })
}

/** "audit entry" becomes AuditEntry. */
function titleOf(words: string): string {
  return words.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** "enrolment-key" of a computer becomes enrolmentKeyOfComputer. */
function operationOf({ name }: ResourceAction, title: string): string {
  const words = titleOf(name)
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}Of${title}`
}

const verbs = { read: 'see', write: 'change', delete: 'delete' } as const

/** What the routes of one resource do: rights first, then the thing, its state, who manages it, the write and its audit entry. */
class ResourceRoutes {
  readonly #resource: AdministeredResource
  readonly #deps: ResourceDependencies
  readonly #admitted = new WeakMap<FastifyRequest, Identity>()

  constructor(resource: AdministeredResource, deps: ResourceDependencies) {
    this.#resource = resource
    this.#deps = deps
  }

  /** A hook that lets callers through who may read or write here, before anything of a body is looked at. */
  admitting(kind: 'read' | 'write' | 'delete', isOwn = this.#resource.isOwn) {
    return async (request: FastifyRequest) => {
      this.#admitted.set(request, await this.#admit(request, kind, isOwn))
    }
  }

  async list(request: Request) {
    const identity = this.#callerOf(request)
    const { service, accountParameter } = this.#resource
    const query = readPageRequest(request.query, this.#resource)
    const isOfAccount = accountParameter !== undefined && accountParameter in request.params
    const accounts = isOfAccount ? undefined : accountsOf(identity, { kind: 'read', service })
    // One more than asked for tells whether there is another page.
    const found = await this.#resource.list(this.#deps.store, request.params, {
      ...query,
      accounts,
      services: this.#servicesOf(identity),
      limit: query.limit + 1,
    })
    const shown = found.slice(0, query.limit)
    const last = shown.at(-1)
    const next = found.length > shown.length && last ? cursorOf(last.place, query) : null
    return { items: shown.map(({ item }) => item), next }
  }

  async read(request: Request, reply: FastifyReply) {
    const item = await this.#existing(this.#deps.store, request.params)
    const services = this.#servicesOf(this.#callerOf(request))
    if (services !== undefined && !services.includes(Object(item).service)) throw this.#missing()
    reply.header('etag', this.#tagOf(item))
    return item
  }

  async create(request: Request, reply: FastifyReply) {
    const identity = this.#callerOf(request)
    refuseUnstorable(request.body)
    const write = await this.#resource.create?.(request.params, request.body)
    if (write === undefined) throw new Error('a resource without creation has a route for it')
    const { path, idParameter, noun } = this.#resource
    const { id, secrets, item } = await this.#deps.store.serializably(async (tables) => {
      const creation = await write(tables)
      const params = { ...request.params, [idParameter]: creation.id }
      const item = await this.#existing(tables, params)
      await this.#note(tables, identity, {
        action: `create${titleOf(noun.one)}`,
        params,
        before: null,
        after: item,
      })
      return { ...creation, item }
    })
    const params = { ...request.params, [idParameter]: id }
    await this.#resource.afterWrite?.(params, 'create')
    reply.header('location', `${this.#deps.basePath}${filled(`${path}/:${idParameter}`, params)}`)
    reply.header('etag', this.#tagOf(item))
    return reply.code(201).send({ ...item, ...secrets })
  }

  async update(request: Request, reply: FastifyReply) {
    const identity = this.#callerOf(request)
    const { params } = request
    refuseUnstorable(request.body)
    const write = await this.#resource.update?.(params, request.body)
    if (write === undefined) throw new Error('a resource without changes has a route for them')
    const item = await this.#deps.store.serializably(async (tables) => {
      const before = await this.#changeable(tables, request)
      await write(tables)
      const after = await this.#existing(tables, params)
      const action = `update${titleOf(this.#resource.noun.one)}`
      await this.#note(tables, identity, { action, params, before, after })
      return after
    })
    await this.#resource.afterWrite?.(params, 'update')
    reply.header('etag', this.#tagOf(item))
    return item
  }

  async remove(request: Request, reply: FastifyReply) {
    const identity = this.#callerOf(request)
    const { params, query } = request
    const { preview, ...others } = query
    if ((preview !== undefined && preview !== 'true') || Object.keys(others).length > 0) {
      throw new RequestRefused('bad-request', 'The only parameter is preview, and its only value is true.', {
        field: 'preview',
      })
    }
    if (preview === 'true') {
      await this.#existing(this.#deps.store, params)
      return { losses: (await this.#resource.losses?.(this.#deps.store, params)) ?? [] }
    }
    const write = await this.#resource.remove?.(params)
    if (write === undefined) throw new Error('a resource without deletion has a route for it')
    await this.#deps.store.serializably(async (tables) => {
      const before = await this.#changeable(tables, request)
      await write(tables)
      const action = `delete${titleOf(this.#resource.noun.one)}`
      await this.#note(tables, identity, { action, params, before, after: null })
    })
    await this.#resource.afterWrite?.(params, 'delete')
    return reply.code(204).send()
  }

  async perform(request: Request, action: ResourceAction) {
    const identity = this.#callerOf(request)
    const { params } = request
    refuseUnstorable(request.body)
    const { session, username } = identity
    const isHimself = params.operator === username
    const { service, accountParameter } = this.#resource
    const account = accountParameter === undefined ? undefined : params[accountParameter]
    const caller = {
      isHimself,
      mayChange: may(identity, { kind: 'write', service, account }),
      sessionId: session?.id,
      credential: credentialOf(identity),
      address: clientAddress(request),
    }
    const write = await action.perform(params, request.body, caller)
    const { item, secrets } = await this.#deps.store.serializably(async (tables) => {
      const before = await this.#existing(tables, params)
      if (action.isForManaged !== true) this.#refuseManaged(before)
      const secrets = await write(tables)
      const item = await this.#existing(tables, params)
      const name = operationOf(action, titleOf(this.#resource.noun.one))
      await this.#note(tables, identity, { action: name, params, before, after: item })
      return { item, secrets }
    })
    await this.#resource.afterWrite?.(params, action.name)
    return { ...item, ...secrets }
  }

  /** @throws RequestRefused for a caller who is unknown, or may not do it; for accounts that he may not see as for those that are not there */
  async #admit(
    request: FastifyRequest,
    kind: 'read' | 'write' | 'delete',
    isOwn: AdministeredResource['isOwn'],
  ): Promise<Identity> {
    const { service, accountParameter, idParameter } = this.#resource
    const identity = await this.#deps.authentication.identify(request)
    const params = parametersOf(request)
    if (!Object.values(params).every(isStorableText)) throw this.#missing()
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
    const named = accountParameter === undefined ? undefined : params[accountParameter]
    // Whoever administers one account may no more delete it than add it.
    const account = kind === 'delete' && accountParameter === idParameter ? undefined : named
    if (may(identity, { kind: kind === 'read' ? kind : 'write', service, account })) return identity
    const isListing = kind === 'read' && accountParameter !== undefined && named === undefined
    if (isListing && accountsOf(identity, { kind, service })?.length !== 0) return identity
    if (kind === 'read' && (this.#servicesOf(identity) ?? []).length > 0) return identity
    if (named !== undefined && !may(identity, { kind: 'read', service, account: named })) {
      throw this.#missing()
    }
    throw new RequestRefused(
      'forbidden',
      `Your grants do not allow you to ${verbs[kind]} ${this.#resource.noun.many} here.`,
    )
  }

  /** The services whose items the caller may read; undefined for all items, and where things are of no service. */
  #servicesOf(identity: Identity): readonly string[] | undefined {
    const { service, isOfServices } = this.#resource
    if (isOfServices !== true || may(identity, { kind: 'read', service })) return undefined
    return services.filter((one) => may(identity, { kind: 'read', service: one }))
  }

  #callerOf(request: FastifyRequest): Identity {
    const identity = this.#admitted.get(request)
    if (identity === undefined) throw new Error('a route was reached without its hook')
    return identity
  }

  async #existing(tables: TransactionTables, params: PathParameters): Promise<AdministeredItem> {
    const item = await this.#resource.read(tables, params)
    if (item === undefined) throw this.#missing()
    return item
  }

  async #changeable(tables: TransactionTables, request: Request): Promise<AdministeredItem> {
    const item = await this.#existing(tables, request.params)
    requireMatch(request.headers['if-match'], this.#tagOf(item))
    this.#refuseManaged(item)
    return item
  }

  #refuseManaged({ managedBy }: AdministeredItem): void {
    if (managedBy === null) return
    throw new RequestRefused(
      'conflict',
      `This ${this.#resource.noun.one} is managed by ${managedBy}: change it there.`,
    )
  }

  #missing(): RequestRefused {
    return new RequestRefused('not-found', `There is no such ${this.#resource.noun.one}.`)
  }

  #tagOf(item: AdministeredItem): string {
    return entityTagOf(item, this.#resource.volatile)
  }

  #note(
    tables: TransactionTables,
    { actor }: Identity,
    entry: { action: string; params: PathParameters; before: object | null; after: object | null },
  ): Promise<void> {
    const { path, idParameter, service } = this.#resource
    const { action, params, before, after } = entry
    const target = filled(`${path}/:${idParameter}`, params)
    return writeAuditEntry(
      tables.tables<AuditTables>(),
      { actor, service, action, target, before, after },
      this.#deps.clock.now(),
    )
  }
}

/** Fastify types the parameters of a hook by nothing. */
function parametersOf({ params }: FastifyRequest): PathParameters {
  return Object.fromEntries(Object.entries(Object(params)).map(([name, value]) => [name, String(value)]))
}

/** A path with its parameters in their places. */
function filled(path: string, params: PathParameters): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** Text that the store cannot hold, such as NUL, is refused wherever it stands in a body. */
function refuseUnstorable(body: unknown, field = ''): void {
  if (typeof body === 'string' && !isStorableText(body)) {
    throw new RequestRefused(
      'bad-request',
      `${field} must be text without NUL and without half of a surrogate pair.`,
      { field },
    )
  }
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body))
    refuseUnstorable(value, field === '' ? name : `${field}.${name}`)
}
