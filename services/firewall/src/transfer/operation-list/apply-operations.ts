import { RequestRefused } from '@palisade/platform'
import type { Permissions } from '../../access/permissions.ts'
import { administratorKind } from '../../changes/author.ts'
import { isMembers } from '../../changes/members.ts'
import type { Plan } from '../../changes/plan.ts'
import { ConfigurationRefused, notAcceptable } from '../../failure.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import type { Addresses } from '../../rest/address.ts'
import { refuseForbidden } from '../../rest/locate.ts'
import {
  type ChangePreparation,
  planRemoval,
  prepareCreation,
  prepareUpdate,
} from '../../rest/prepared-change.ts'
import { TimeSlices } from '../time-slices.ts'
import { type LocatedOperation, nameIn, readOperation } from './read-operation.ts'

/** What lists of operations are applied with. */
export interface OperationApplication extends ChangePreparation {
  readonly addresses: Addresses
}

/** How many faults are looked for before a list is given up. */
const problemsMax = 100

/**
 * The configuration after the operations, each of which is checked as the request that it stands for, on what those before it have made.
 *
 * @param operations parsed JSON of any origin
 * @returns the faults beside it, in whole sentences that number the operations from 1
 * @throws RequestRefused forbidden
 */
export async function applyOperations(
  operations: readonly unknown[],
  base: Snapshot,
  deps: OperationApplication,
  permissions: Permissions,
): Promise<{ readonly after: Snapshot; readonly problems: readonly string[] }> {
  const slices = new TimeSlices()
  const beside = new MadeBeside()
  const problems: string[] = []
  let after = base
  for (const [index, entry] of operations.entries()) {
    try {
      const { writes, createdBeside = [] } = await planned(entry, after, beside, deps, permissions)
      after = after.with(writes, base.version)
      for (const { kind, path } of createdBeside) beside.add(kind.name, path)
    } catch (error) {
      problems.push(`Operation ${index + 1}${placeOf(entry)}: ${sentenceOf(error)}`)
      if (problems.length === problemsMax) return { after, problems }
    }
    await slices.pause()
  }
  return { after, problems }
}

async function planned(
  entry: unknown,
  snapshot: Snapshot,
  beside: MadeBeside,
  deps: OperationApplication,
  permissions: Permissions,
): Promise<Plan> {
  const { target, operation, payload } = beside.takenOver(readOperation(entry, deps.addresses))
  if (target.kind.lineage.some(({ name }) => name === administratorKind)) {
    throw notAcceptable('administrators are not imported: create them, or change them, one by one.')
  }
  refuseForbidden(permissions, snapshot, { target, operation })
  if (operation === 'delete') return planRemoval(deps, snapshot, target, permissions)
  const change =
    target.type === 'collection'
      ? await prepareCreation(deps, snapshot, target, payload)
      : await prepareUpdate(deps, snapshot, target, payload)
  return change(snapshot, permissions)
}

/** Objects that came into being beside those that were asked for, such as a service that leads to another one. */
class MadeBeside {
  readonly #paths = new Set<string>()

  add(kindName: string, path: readonly string[]): void {
    this.#paths.add(JSON.stringify([kindName, path]))
  }

  /** A list that was exported has such objects, too: to create them again means to change them. */
  takenOver(operation: LocatedOperation): LocatedOperation {
    const { target, payload } = operation
    if (target.type !== 'collection' || operation.operation !== 'create') return operation
    const { kind, parentPath } = target
    const path = [...parentPath, nameIn(kind, payload) ?? '']
    if (!this.#paths.has(JSON.stringify([kind.name, path]))) return operation
    return { operation: 'update', target: { type: 'object', kind, path }, payload }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigurationRefused) return error.message
  if (error instanceof RequestRefused && error.code === 'bad-request') return error.message
  throw error
}

const toldLengthMax = 200

/** Which operation it is, as far as it says so: " (EDIT /restapi/v3/services)". */
function placeOf(entry: unknown): string {
  if (!isMembers(entry)) return ''
  const [operation, parent, type] = [entry.operation, entry.parent, entry.type].map(textIn)
  const operationText = `${operation} ${parent}/${type}`
  return ` (${operationText.length > toldLengthMax ? `${operationText.slice(0, toldLengthMax)}…` : operationText})`
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
