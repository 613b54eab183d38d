import { outermostObject, type Permissions } from '../access/permissions.ts'
import { refuseForeignReferences } from '../access/refuse-foreign-references.ts'
import type { Behaviours, Demand } from '../changes/behaviour.ts'
import { planCreation } from '../changes/create.ts'
import { planDeletion } from '../changes/delete.ts'
import {
  type Body,
  type GivenMembers,
  mergeMembers,
  readMembers,
  type UnknownMembers,
} from '../changes/members.ts'
import type { Plan } from '../changes/plan.ts'
import { fieldsOf } from '../changes/problems.ts'
import { planUpdate } from '../changes/update.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { type Content, completeContent, valuesOf, withValues } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Target } from './address.ts'
import { objectAt } from './locate.ts'

/** What changes are prepared with. */
export interface ChangePreparation {
  readonly behaviours: Behaviours
  /** Whether members that a kind does not have are refused, or else ignored. */
  readonly unknownMembers: UnknownMembers
}

/**
 * A change whose body was read and whose slow work is done. It can be planned on the snapshot that it was prepared for, and on
 * newer ones.
 *
 * @throws ConfigurationRefused, with every fault; RequestRefused forbidden
 */
export type PreparedChange = (newest: Snapshot, permissions: Permissions) => Plan

/** Prepares the creation of an object in the collection that is the target. */
export async function prepareCreation(
  deps: ChangePreparation,
  snapshot: Snapshot,
  target: Extract<Target, { type: 'collection' }>,
  body: Body,
): Promise<PreparedChange> {
  const { kind, parentPath } = target
  const input = readMembers(kind.fields, kind.title, body, deps.unknownMembers)
  const demand = { kind, section: undefined, given: input.values, before: undefined, snapshot }
  const { behaviour, settled } = await prepared(deps, input, demand)
  return (newest, permissions) => {
    const before = completeContent(kind, {})
    const naming = { kind, path: [...parentPath, ''], before, section: undefined, given: input }
    refuseForeignNames(permissions, newest, naming)
    return planCreation(newest, kind, parentPath, { given: input, settled, behaviour })
  }
}

/** Prepares the change of the members of an object or of one of its sections. */
export async function prepareUpdate(
  deps: ChangePreparation,
  snapshot: Snapshot,
  target: Target,
  body: Body,
): Promise<PreparedChange> {
  const section = target.type === 'section' ? target.section : undefined
  const before = objectAt(snapshot, target)
  const { kind } = before
  const title = section?.title ?? kind.title
  const input = readMembers(fieldsOf(kind, section?.segment), title, body, deps.unknownMembers)
  const demand = { kind, section: section?.segment, given: input.values, before, snapshot }
  const { behaviour, settled } = await prepared(deps, input, demand)
  return (newest, permissions) => {
    const current = objectAt(newest, target)
    const { path, content } = current
    refuseForeignNames(permissions, newest, {
      kind,
      path,
      before: content,
      section: section?.segment,
      given: input,
    })
    return planUpdate(newest, current, section?.segment, { given: input, settled, behaviour })
  }
}

/**
 * Plans the deletion of the object that is the target. Needs no preparation.
 *
 * @throws ConfigurationRefused; what the permissions do not reach is not named in it
 */
export function planRemoval(
  { behaviours }: ChangePreparation,
  snapshot: Snapshot,
  target: Target,
  permissions: Permissions,
): Plan {
  const object = objectAt(snapshot, target)
  const mayBeNamed = ({ kind, path }: ConfigurationObject) =>
    permissions.mayRefer(kind, outermostObject(snapshot, kind, path))
  return planDeletion(snapshot, object, behaviours.get(object.kind.name), mayBeNamed)
}

/** A body with faults is refused by the plan, which finds them all; nothing is prepared for it. */
async function prepared({ behaviours }: ChangePreparation, input: GivenMembers, demand: Demand) {
  const behaviour = behaviours.get(demand.kind.name)
  const settled = input.problems.length === 0 ? await behaviour?.prepare?.(demand) : undefined
  return { behaviour, settled: settled ?? {} }
}

/** What a body makes an object name has to be reached, before anything is said about whether it is there. */
function refuseForeignNames(
  permissions: Permissions,
  snapshot: Snapshot,
  { kind, path, before, section, given }: Naming,
): void {
  const values = mergeMembers(valuesOf(before, section), given, fieldsOf(kind, section))
  const content = withValues(before, section, values)
  refuseForeignReferences(permissions, snapshot, { kind, path, content, section, before })
}

interface Naming {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly before: Content
  readonly section: string | undefined
  readonly given: GivenMembers
}
