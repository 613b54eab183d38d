import {
  type AdministeredItem,
  type AdministeredResource,
  type AuditTables,
  type Clock,
  clientAddress,
  type PathParameters,
  RequestRefused,
  type ResourceAction,
  type Store,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountsOf, credentialOf, type Identity, may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'
import { entityTagOf, requireMatch } from './entity-tag.ts'
import { operationOf, titleOf } from './operation-names.ts'
import { cursorOf, readPageRequest } from './page.ts'
import { refuseUnstorable } from './refuse-unstorable.ts'
import type { ResourceAccess } from './resource-access.ts'

const hourMs = 60 * 60_000

/** What the routes of a resource work with. */
export interface ResourceDependencies {
  readonly authentication: Authentication
  readonly store: Store
  readonly clock: Clock
  /** Where the administration lies, such as "/admin/v1". */
  readonly basePath: string
}

/** The parts of a request of a resource, for Fastify. */
export interface ResourceRequest {
  Params: Record<string, string>
  Querystring: Record<string, unknown>
  Body: unknown
}

type Request = FastifyRequest<ResourceRequest>

/** What the routes of one resource do for callers who are admitted: the item, its state, who manages it, the write and its audit entry. */
export class ResourceRoutes {
  readonly #resource: AdministeredResource
  readonly #deps: ResourceDependencies
  readonly #access: ResourceAccess

  constructor(resource: AdministeredResource, deps: ResourceDependencies, access: ResourceAccess) {
    this.#resource = resource
    this.#deps = deps
    this.#access = access
  }

  async list(request: Request) {
    const identity = this.#access.callerOf(request)
    const { service, accountParameter } = this.#resource
    const query = readPageRequest(request.query, this.#resource)
    const isOfAccount = accountParameter !== undefined && accountParameter in request.params
    const accounts = isOfAccount ? undefined : accountsOf(identity, { kind: 'read', service })
    // One more than asked for tells whether there is another page.
    const page = {
      ...query,
      accounts,
      services: this.#access.servicesOf(identity),
      limit: query.limit + 1,
    }
    const { store } = this.#deps
    const listIn = (tables: TransactionTables) => this.#resource.list(tables, request.params, page)
    const items = await (this.#resource.isLong ? store.readList(listIn) : listIn(store))
    const shown = items.slice(0, query.limit)
    const last = shown.at(-1)
    const next = items.length > shown.length && last ? cursorOf(last.place, query) : null
    return { items: shown.map(({ item }) => item), next }
  }

  async read(request: Request, reply: FastifyReply) {
    const item = await this.#existing(this.#deps.store, request.params)
    const services = this.#access.servicesOf(this.#access.callerOf(request))
    if (services !== undefined && !services.includes(Object(item).service)) throw this.#access.missing()
    reply.header('etag', this.#tagOf(item))
    return item
  }

  async create(request: Request, reply: FastifyReply) {
    const identity = this.#access.callerOf(request)
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
    const identity = this.#access.callerOf(request)
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
    const identity = this.#access.callerOf(request)
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
    const identity = this.#access.callerOf(request)
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
    const name = operationOf(action, titleOf(this.#resource.noun.one))
    const isNoted = action.isNotedHourly !== true || !(await this.#wasNotedLately(identity, name, params))
    const { item, secrets } = await this.#deps.store.serializably(async (tables) => {
      const before = await this.#existing(tables, params)
      if (action.isForManaged !== true) this.#refuseManaged(before)
      const secrets = await write(tables)
      const item = await this.#existing(tables, params)
      if (isNoted) await this.#note(tables, identity, { action: name, params, before, after: item })
      return { item, secrets }
    })
    await this.#resource.afterWrite?.(params, action.name)
    return { ...item, ...secrets }
  }

  async #existing(tables: TransactionTables, params: PathParameters): Promise<AdministeredItem> {
    const item = await this.#resource.read(tables, params)
    if (item === undefined) throw this.#access.missing()
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

  #tagOf(item: AdministeredItem): string {
    return entityTagOf(item, this.#resource.volatile)
  }

  #note(
    tables: TransactionTables,
    { actor }: Identity,
    entry: { action: string; params: PathParameters; before: object | null; after: object | null },
  ): Promise<void> {
    const { service } = this.#resource
    const { action, params, before, after } = entry
    return writeAuditEntry(
      tables.tables<AuditTables>(),
      { actor, service, action, target: this.#targetOf(params), before, after },
      this.#deps.clock.now(),
    )
  }

  /** Whether the audit log has of the last hour that the caller has done the same to the thing, from the same address. */
  async #wasNotedLately({ actor }: Identity, action: string, params: PathParameters): Promise<boolean> {
    const entry = await this.#deps.store
      .tables<AuditTables>()
      .selectFrom('audit_entry')
      .select('id')
      .where('target', '=', this.#targetOf(params))
      .where('at', '>', this.#deps.clock.now() - hourMs)
      .where('action', '=', action)
      .where('actor_kind', '=', actor.kind)
      .where('actor', '=', actor.name)
      .where('address', '=', actor.address)
      .limit(1)
      .executeTakeFirst()
    return entry !== undefined
  }

  #targetOf(params: PathParameters): string {
    const { path, idParameter } = this.#resource
    return filled(`${path}/:${idParameter}`, params)
  }
}

/** A path with its parameters in their places. */
function filled(path: string, params: PathParameters): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
