import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { forbidden } from '../access/forbidden.ts'
import { type Access, outermostObject, type Permissions } from '../access/permissions.ts'
import type { Roles } from '../access/roles.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { describe } from '../changes/plan.ts'
import { refuseMissing } from '../changes/refuse-missing.ts'
import type { Operation } from '../kinds/kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { type Address, type Addresses, type SpecialAtAddress, segmentsOf, type Target } from './address.ts'
import { tokenOf } from './admission.ts'
import type { SpecialOperation } from './special-operation.ts'

const decorator = 'firewallTarget'

/** What a request is about and what it asks for. */
export interface Located {
  readonly target: Target
  readonly operation: Operation
}

/** Prepares the scope's requests for {@link locateWith}. */
export function decorateWithTarget(scope: FastifyInstance): void {
  scope.decorateRequest(decorator, null)
}

/** The special operation that a request asks for; undefined when it is about objects. */
export function specialOf(request: FastifyRequest): SpecialAtAddress | undefined {
  const located = request.getDecorator<Located | SpecialAtAddress>(decorator)
  return 'names' in located ? located : undefined
}

/** What the hooks found at the request's address. Throws before they ran. */
export function locatedBy(request: FastifyRequest): Located {
  const located = request.getDecorator<Located | SpecialAtAddress>(decorator)
  if ('names' in located) throw new Error('the request is not about objects')
  return located
}

/** Has a request answered as if it had come to the usual address of what it means. */
export function locateAs(request: FastifyRequest, located: Located): void {
  request.setDecorator<Located | SpecialAtAddress>(decorator, located)
}

/** @param meant the segment of the address that was probably meant; undefined where none is near */
function nothingAt(meant: string | undefined): RequestRefused {
  const question = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
  return new RequestRefused('not-found', `Nothing is found at this address.${question}`)
}

/**
 * Finds what a request is about before its body is read, and refuses what cannot be done there. A refusal is decided anew when another
 * server has changed the configuration since this one has looked.
 *
 * @param configuration in which the objects of the path have to exist
 * @param prefix what stands before the addresses, such as "/restapi/v3.2"
 */
export function locateWith(
  addresses: Addresses,
  roles: Roles,
  configuration: LiveConfiguration,
  prefix: string,
): onRequestHookHandler {
  const segmentsBefore = segmentsOf(prefix).length
  const locate = (request: FastifyRequest): Located | SpecialAtAddress => {
    const address = addresses.resolve(request.url, segmentsBefore)
    if (address === undefined) throw nothingAt(addresses.nearestSegment(request.url, segmentsBefore))
    const permissions = roles.permissionsOf(tokenOf(request).administrator)
    const special = address.specials.find(({ operation }) => isAskedFor(operation, request))
    if (special) {
      const { mayBeDone, refusedToReaders } = special.operation
      if (refusedToReaders !== undefined && tokenOf(request).readsOnly) {
        throw new RequestRefused('forbidden', refusedToReaders)
      }
      if (mayBeDone(permissions)) return special
      throw new RequestRefused('forbidden', 'Your role does not allow you to do this.')
    }
    const { target } = address
    const operation = address.methods.get(request.method)
    if (target === undefined || operation === undefined) throw methodNotAllowed(methodsOf(address))
    const { snapshot } = configuration
    refuseForbidden(permissions, snapshot, { target, operation })
    refuseMissing(snapshot, target.kind, pathThrough(target))
    return { target, operation }
  }
  return (request, _reply, done) => {
    const take = () => request.setDecorator<Located | SpecialAtAddress>(decorator, locate(request))
    try {
      take()
    } catch (refusal) {
      // Where the store cannot be asked, what is in memory counts: reads go on without it.
      const refreshed = configuration.refresh().catch(() => false)
      refreshed
        .then((isNewer) => {
          if (!isNewer) throw refusal
          take()
        })
        .then(() => done(), done)
      return
    }
    done()
  }
}

function isAskedFor({ method, when }: SpecialOperation, request: FastifyRequest): boolean {
  if (method !== request.method) return false
  if (when === undefined) return true
  const { query } = request
  return (
    typeof query === 'object' &&
    query !== null &&
    Object.entries(query).some(([name, value]) => name === when.parameter && value === when.value)
  )
}

function methodsOf({ methods, specials }: Address): Set<string> {
  return new Set([...methods.keys(), ...specials.map(({ operation }) => operation.method)])
}

/** 405 with the `Allow` that RFC 9110 requires. */
export function methodNotAllowed(methods: Iterable<string>): RequestRefused {
  const allow = [...methods].join(', ')
  return new RequestRefused('method-not-allowed', `This address answers to ${allow} only.`, {
    headers: { allow },
  })
}

/** @throws ConfigurationRefused not-found */
export function objectAt(snapshot: Snapshot, target: Target): ConfigurationObject {
  refuseMissing(snapshot, target.kind, pathThrough(target))
  const object = target.type === 'collection' ? undefined : snapshot.object(target.kind, target.path)
  if (!object) throw new Error('a collection was asked for where an object was expected')
  return object
}

/** @throws RequestRefused forbidden when the permissions do not reach the target, or not for this */
export function refuseForbidden(
  permissions: Permissions,
  snapshot: Snapshot,
  { target, operation }: Located,
): void {
  const access: Access = operation === 'list' || operation === 'read' ? 'read' : 'write'
  const section = target.type === 'section' ? target.section : undefined
  if (!permissions.mayReachKind(target.kind, section, access)) throw forbidden(target.kind.title, access)
  const outermost = outermostObject(snapshot, target.kind, pathThrough(target))
  if (outermost && !permissions.mayReachObject(outermost, access)) {
    throw forbidden(describe(outermost), access)
  }
}

/** The path of the object that the target is, or in which it lies. */
function pathThrough(target: Target): readonly string[] {
  return target.type === 'collection' ? target.parentPath : target.path
}
