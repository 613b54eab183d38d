import { somebodyIsUnlimited } from '../access/unlimited-administrators.ts'
import { administratorKind } from '../changes/author.ts'
import type { Behaviour, Behaviours } from '../changes/behaviour.ts'
import { unfitNameProblems } from '../changes/create.ts'
import { problemsOfContent } from '../changes/problems.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { placeOf, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Difference } from './differences.ts'
import type { InitialContents } from './initial-contents.ts'
import { objectTitle } from './names.ts'
import type { StatedObject } from './read-document.ts'
import { TimeSlices } from './time-slices.ts'

/** What an import would make of the configuration. */
export interface ImportCandidate {
  readonly before: Snapshot
  readonly after: Snapshot
  readonly differences: readonly Difference[]
  readonly stated: readonly StatedObject[]
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
  const { before, after, differences, stated } = candidate
  const statements = new Map(stated.map((object) => [placeKey(object), object]))
  const slices = new TimeSlices()
  const problems: string[] = []
  const changed = new Set<ConfigurationObject>()
  for (const difference of differences) {
    if (difference.after) changed.add(difference.after)
    const behaviour = behaviours.get(difference.kind.name)
    const object = difference.after
      ? [
          ...problemsOfObject(difference.after, difference, after, initial, behaviour),
          ...madeElsewhere(difference, statements.get(placeKey(difference)), behaviour),
        ]
      : problemsOfRemoval(difference, before, after, initial, behaviour)
    problems.push(
      ...object.map((sentence) => `The ${objectTitle(difference.kind, difference.path)}: ${sentence}`),
    )
    await slices.pause()
  }
  for (const object of after.everything()) {
    if (!changed.has(object)) problems.push(...danglingReferences(object, after))
    await slices.pause()
  }
  if (!someoneMayChangeEverything(after, catalogue)) {
    problems.push('No administrator would be left who may change everything.')
  }
  return problems
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
  const problems = [undefined, ...sections].flatMap((section) =>
    problemsOfContent(
      after,
      { kind, path, content, section },
      (member) => !atFirst || valuesOf(atFirst, section)[member] !== undefined,
    ),
  )
  const change = { kind, path, content, section: undefined, given: new Map(), before, snapshot: after }
  const without = () => after.with([{ kind, path, content: undefined }], after.version)
  const unfit = before ? [] : unfitNameProblems(after, kind, path)
  return [
    ...[...problems, ...unfit].map(({ sentence }) => sentence),
    ...refusalsOf(() => {
      if (!before) behaviour?.refuseName?.(path, without())
      return []
    }),
    ...refusalsOf(() => (behaviour?.complete?.(change).problems ?? []).map(({ sentence }) => sentence)),
  ]
}

/**
 * Of some objects the system makes a part itself, from what a request brings: keys, what a certificate says. An
 * import makes nothing, so it takes them only as they once were.
 */
function madeElsewhere(
  { kind, before }: Difference,
  stated: StatedObject | undefined,
  behaviour: Behaviour | undefined,
): string[] {
  if (!behaviour?.prepare || kind.identifiedBy === undefined || !stated) return []
  const plain = stated.plainSecrets.map(
    (member) =>
      `The member ${member} is taken here only as it was exported; change it by a request of its own.`,
  )
  if (before || stated.isVouchedFor) return plain
  return [...plain, 'it is taken only as it was exported; create it by a request of its own.']
}

function placeKey({ kind, path }: { kind: CompiledKind; path: readonly string[] }): string {
  return JSON.stringify([kind.name, path])
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
        `The ${objectTitle(object.kind, object.path)} names ${JSON.stringify(name)} in its member ${by.fieldName}, which would be gone.`,
    )
}

function someoneMayChangeEverything(after: Snapshot, catalogue: CompiledCatalogue): boolean {
  const users = catalogue.get(administratorKind)
  const roles = catalogue.get('administrator-role')
  if (!users || !roles) return true
  return somebodyIsUnlimited(after.collection(users, []) ?? [], after.collection(roles, []))
}
