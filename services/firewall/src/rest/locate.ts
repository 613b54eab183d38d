import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { mayWrite } from '../access/administrators.ts'
import { describe } from '../changes/plan.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { Operation } from '../kinds/kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Address, Addresses, Target } from './address.ts'
import { tokenOf } from './admission.ts'

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

export function locatedBy(request: FastifyRequest): Located {
  return request.getDecorator<Located>(decorator)
}

/**
 * Finds what a request is about before its body is read, and refuses what cannot be done there.
 *
 * @param snapshotNow the configuration of the moment, in which the objects of the path have to exist
 */
export function locateWith(addresses: Addresses, snapshotNow: () => Snapshot): onRequestHookHandler {
  return (request, _reply, done) => {
    try {
      const address = addresses.resolve(request.url)
      if (address === undefined) throw new RequestRefused('not-found', 'Nothing is found at this address.')
      const { target } = address
      const operation = operationOf(request, address)
      refuseMissing(snapshotNow(), target)
      request.setDecorator<Located>(decorator, { target, operation })
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** @throws ConfigurationRefused not-found when an object that the path names is not there */
export function refuseMissing(snapshot: Snapshot, target: Target): void {
  const path = target.type === 'collection' ? target.parentPath : target.path
  for (const [index] of path.entries()) {
    const kind = target.kind.lineage[index]
    const upTo = path.slice(0, index + 1)
    if (kind && !snapshot.object(kind, upTo)) {
      throw new ConfigurationRefused({ code: 'not-found', what: describe({ kind, path: upTo }) })
    }
  }
}

/** @throws ConfigurationRefused not-found */
export function objectAt(snapshot: Snapshot, target: Target): ConfigurationObject {
  refuseMissing(snapshot, target)
  const object = target.type === 'collection' ? undefined : snapshot.object(target.kind, target.path)
  if (!object) throw new Error('a collection was asked for where an object was expected')
  return object
}

function operationOf(request: FastifyRequest, { methods }: Address): Operation {
  const operation = methods.get(request.method)
  if (operation === undefined) {
    const allow = [...methods.keys()].join(', ')
    throw new RequestRefused('method-not-allowed', `This address answers to ${allow} only.`, {
      headers: { allow },
    })
  }
  const { role } = tokenOf(request).administrator
  if (operation !== 'list' && operation !== 'read' && !mayWrite(role)) {
    throw new RequestRefused('forbidden', `The role ${role} may read the configuration, not change it.`)
  }
  return operation
}
