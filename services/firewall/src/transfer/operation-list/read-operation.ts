import { type Body, isMembers } from '../../changes/members.ts'
import { notAcceptable } from '../../failure.ts'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import type { Operation } from '../../kinds/kind.ts'
import { type Addresses, methodsAt, type Target } from '../../rest/address.ts'
import { type ListedOperation, operationsByWord } from './operation-list.ts'

/** An entry of a list of operations whose address was understood. */
export interface LocatedOperation {
  readonly target: Target
  readonly operation: Extract<Operation, 'create' | 'update' | 'delete'>
  readonly payload: Body
}

const operations = { CREATE: 'create', EDIT: 'update', DELETE: 'delete' } as const satisfies Record<
  ListedOperation['operation'],
  LocatedOperation['operation']
>

/** The version of addresses that name none. */
const versionWithout = '/restapi/v3.2'

/**
 * Reads one entry.
 *
 * @param entry parsed JSON of any origin; members beside the four that it needs are passed over
 * @throws ConfigurationRefused not-acceptable
 */
export function readOperation(entry: unknown, addresses: Addresses): LocatedOperation {
  if (!isMembers(entry)) throw notAcceptable('it must be an object.')
  const { operation: word, type, payload = {}, parent = '' } = entry
  const named = typeof word === 'string' ? operationsByWord[word.toUpperCase()] : undefined
  if (named === undefined) throw notAcceptable('the member operation must be CREATE, EDIT or DELETE.')
  if (typeof type !== 'string' || type === '') throw notAcceptable('the member type must be text.')
  if (typeof parent !== 'string') throw notAcceptable('the member parent must be the address around it.')
  if (!isMembers(payload)) throw notAcceptable('the member payload must be an object.')
  const address = `${addressIn(parent)}/${type}`
  const collection = addresses.resolve(address)?.target
  if (collection === undefined) {
    throw notAcceptable('the members parent and type must make an address of this API.')
  }
  const operation = operations[named]
  const target = targetOf(collection, operation, payload)
  if (!mayBeDone(target, operation)) throw notAcceptable(`${named} is not possible there.`)
  return { target, operation, payload }
}

/** "services/shop" stands for "/restapi/v3.2/services/shop". */
function addressIn(parent: string): string {
  const path = parent.replace(/^\/+|\/+$/g, '')
  return /^restapi\/+v\d/i.test(path) ? `/${path}` : `${versionWithout}/${path}`
}

/** What is changed or deleted in a collection is told by its name; what is created there is not there yet. */
function targetOf(target: Target, operation: LocatedOperation['operation'], payload: Body): Target {
  if (target.type !== 'collection' || operation === 'create') return target
  const { kind, parentPath } = target
  const name = nameIn(kind, payload)
  if (name === undefined) throw notAcceptable(`the payload must have the member ${kind.identifiedBy}.`)
  return { type: 'object', kind, path: [...parentPath, name] }
}

/** The name that a payload gives an object of the kind. */
export function nameIn(kind: CompiledKind, payload: Body): string | undefined {
  const named = Object.entries(payload).find(
    ([member]) => kind.fields.find(member)?.name === kind.identifiedBy,
  )
  const value = named?.[1]
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}

/** To create what is always there means to change it. */
function mayBeDone(target: Target, operation: LocatedOperation['operation']): boolean {
  const possible = new Set(methodsAt(target).values())
  if (target.type === 'section' || (target.type === 'object' && target.kind.identifiedBy === undefined)) {
    return operation !== 'delete' && possible.has('update')
  }
  return possible.has(operation)
}
