import { outermostObject, Permissions } from '../access/permissions.ts'
import type { Behaviour, Behaviours } from '../behaviours/behaviour.ts'
import { problemsOfContent } from '../changes/problems.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { placeOf, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { Breather } from './breather.ts'
import type { Difference } from './differences.ts'
import { administratorKind } from './document.ts'
import type { InitialContents } from './initial-contents.ts'
import { called } from './names.ts'

/** What an import would make of the configuration. */
export interface ImportCandidate {
  readonly before: Snapshot
  readonly after: Snapshot
  readonly differences: readonly Difference[]
}

/** What imports are checked with. */
export interface ImportChecks {
  readonly catalogue: CompiledCatalogue
  readonly initial: InitialContents
  readonly behaviours: Behaviours
}

/** The faults of what an import would lead to, by the rules of ordinary requests, as whole sentences. */
export async function problemsOfImport(
  candidate: ImportCandidate,
  { catalogue, initial, behaviours }: ImportChecks,
): Promise<string[]> {
  const { before, after, differences } = candidate
  const breather = new Breather()
  const problems: string[] = []
  const changed = new Set<ConfigurationObject>()
  for (const difference of differences) {
    if (difference.after) changed.add(difference.after)
    const behaviour = behaviours.get(difference.kind.name)
    const found = difference.after
      ? problemsOfObject(difference.after, difference, after, initial, behaviour)
      : problemsOfRemoval(difference, before, after, initial, behaviour)
    problems.push(...found.map((sentence) => `The ${called(difference.kind, difference.path)}: ${sentence}`))
    await breather.pause()
  }
  for (const object of after.everything()) {
    if (!changed.has(object)) problems.push(...danglingReferences(object, after))
    await breather.pause()
  }
  if (!someoneMayChangeEverything(after, catalogue)) {
    problems.push('No administrator would be left who may change everything.')
  }
  return problems
}

/** What the import would change and an administrator with these permissions may not, as continuations of "change". */
export async function forbiddenIn(
  { before, after, differences }: ImportCandidate,
  permissions: Permissions,
): Promise<string[]> {
  if (permissions.isUnlimited) return []
  const breather = new Breather()
  const forbidden: string[] = []
  for (const { kind, path } of differences) {
    const isReached = [before, after].every((snapshot) => {
      const outermost = outermostObject(snapshot, kind, path)
      return !outermost || permissions.mayReachObject(outermost, 'write')
    })
    if (!isReached || !permissions.mayReachKind(kind, undefined, 'write')) forbidden.push(called(kind, path))
    await breather.pause()
  }
  return forbidden
}

function problemsOfObject(
  object: ConfigurationObject,
  { before }: Difference,
  after: Snapshot,
  initial: InitialContents,
  behaviour: Behaviour | undefined,
): string[] {
  const { kind, path, content } = object
  const atFirst = before?.content ?? initial.of(object)
  if (!atFirst && !kind.operations.has('create')) return ['objects of this kind cannot be created.']
  const sections = kind.sections
    .filter(({ segment, fields }) => content.sections[segment] !== fields.defaults)
    .map(({ segment }) => segment)
  const found = [undefined, ...sections].flatMap((section) =>
    problemsOfContent(
      after,
      { kind, path, content, section },
      (member) => !atFirst || valuesOf(atFirst, section)[member] !== undefined,
    ),
  )
  const change = { kind, path, content, section: undefined, given: new Map(), before, snapshot: after }
  return [
    ...found.map(({ sentence }) => sentence),
    ...refusalsOf(() => (behaviour?.complete?.(change).problems ?? []).map(({ sentence }) => sentence)),
  ]
}

function problemsOfRemoval(
  { kind, path, before: object }: Difference,
  before: Snapshot,
  after: Snapshot,
  initial: InitialContents,
  behaviour: Behaviour | undefined,
): string[] {
  const around = kind.lineage.at(-2)
  const staysAround = around === undefined || after.object(around, path.slice(0, -1)) !== undefined
  if (initial.of({ kind, path }) && staysAround) {
    return ['it belongs to the factory configuration and cannot be removed.']
  }
  return refusalsOf(() => {
    if (object) behaviour?.refuseDeletion?.(object, before)
    return []
  })
}

/** The sentences that a behaviour finds, or those with which it refuses. */
function refusalsOf(find: () => string[]): string[] {
  try {
    return find()
  } catch (error) {
    if (error instanceof ConfigurationRefused) return [error.message]
    throw error
  }
}

/** An object that stays as it is may name one that goes. */
function danglingReferences(object: ConfigurationObject, after: Snapshot): string[] {
  return referencesOf(object)
    .filter((reference) => !placeOf(reference, after))
    .map(
      ({ by, name }) =>
        `The ${called(object.kind, object.path)} names ${JSON.stringify(name)} in its member ${by.fieldName}, which would be gone.`,
    )
}

function someoneMayChangeEverything(after: Snapshot, catalogue: CompiledCatalogue): boolean {
  const users = catalogue.get(administratorKind)
  const roles = catalogue.get('administrator-role')
  if (!users || !roles) return true
  return [...(after.collection(users, []) ?? [])].some(({ content }) => {
    const role = after.object(roles, [String(content.values.role ?? '')])
    return role !== undefined && new Permissions(role.content.values).isUnlimited
  })
}
