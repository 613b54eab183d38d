import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { completeContent } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Behaviour, PreparedValues } from './behaviour.ts'
import { withSettled } from './behaviour.ts'
import { differences, type GivenMembers, mergeMembers, withoutTransient } from './members.ts'
import { createdBy, describe, type Plan, refuseProblems } from './plan.ts'
import { type Problem, problemsOfChange, problemsOfContent } from './problems.ts'
import { refuseMissing } from './refuse-missing.ts'

/** What the plan of one change is made of, beside the snapshot. */
export interface Order {
  /** The members of the body. */
  readonly given: GivenMembers
  readonly settled: PreparedValues
  readonly behaviour: Behaviour | undefined
}

/**
 * Plans a new object inside the one that the path leads to.
 *
 * @throws ConfigurationRefused not-found, when nothing is there to hold it; not-acceptable, with every fault of the body
 */
export function planCreation(
  snapshot: Snapshot,
  kind: CompiledKind,
  parentPath: readonly string[],
  { given, settled, behaviour }: Order,
): Plan {
  refuseMissing(snapshot, kind, parentPath)
  const { fields, identifiedBy = '' } = kind
  const requestValues = mergeMembers(fields.defaults, given, fields)
  const path = [...parentPath, String(requestValues[identifiedBy] ?? '')]
  const candidate = {
    kind,
    path,
    content: completeContent(kind, { values: requestValues }),
    section: undefined,
  }
  behaviour?.refuseName?.(path, snapshot)
  refuseProblems(given.problems, [
    ...problemsOfContent(snapshot, candidate),
    ...problemsOfChange(candidate, fields.defaults, true),
    ...nameProblems(snapshot, kind, path),
  ])
  const values = withSettled(withoutTransient(requestValues, fields), settled)
  const content = completeContent(kind, { values })
  const completion = behaviour?.complete?.({
    kind,
    path,
    content,
    section: undefined,
    given: given.values,
    before: undefined,
    snapshot,
  })
  refuseProblems(completion?.problems ?? [])
  const { content: completed = content, writes: further = [] } = completion ?? {}
  return {
    action: 'create',
    object: { kind, path },
    writes: [{ kind, path, content: completed }, ...further],
    changes: differences(fields, fields.defaults, completed.values),
    createdBeside: createdBy(snapshot, further),
  }
}

/** The name, when it is taken or otherwise unfit. */
export function nameProblems(snapshot: Snapshot, kind: CompiledKind, path: readonly string[]): Problem[] {
  return [...duplicates(snapshot, kind, [kind], path), ...unfitNameProblems(snapshot, kind, path)]
}

/**
 * The name, when no address or no reference would lead to it, or when an object of another kind has it among which
 * references look as well: what they name would then be another one. It may be that of an object that is there.
 */
export function unfitNameProblems(
  snapshot: Snapshot,
  kind: CompiledKind,
  path: readonly string[],
): Problem[] {
  return [
    ...duplicates(snapshot, kind, [...kind.namesakes], path),
    ...unaddressable(kind, path),
    ...misreadWhereNamed(kind, path),
  ]
}

/** A word that references to the kind take in the place of a name: what names such an object would not mean it. */
function misreadWhereNamed(kind: CompiledKind, path: readonly string[]): Problem[] {
  const { identifiedBy, referrers } = kind
  const name = path.at(-1)?.toLowerCase()
  const reference = [...referrers.values()]
    .flat()
    .find(
      ({ field, targets }) =>
        targets.includes(kind) && field.orOneOf?.some((word) => word.toLowerCase() === name),
    )
  if (identifiedBy === undefined || !reference) return []
  const sentence = `The member ${identifiedBy} must not be a word that ${reference.fieldName} takes in the place of a name.`
  return [{ member: identifiedBy, sentence }]
}

/** Blanks at the end of an address are dropped, and clients take dots for steps along the path. */
function unaddressable({ identifiedBy }: CompiledKind, path: readonly string[]): Problem[] {
  const name = path.at(-1) ?? ''
  if (identifiedBy === undefined || (name === name.trimEnd() && name !== '.' && name !== '..')) return []
  const sentence = `The member ${identifiedBy} must not end with a blank, nor be "." or "..": no address leads there.`
  return [{ member: identifiedBy, sentence }]
}

/** The name, when an object of one of these kinds has it. */
function duplicates(
  snapshot: Snapshot,
  { identifiedBy }: CompiledKind,
  kinds: readonly CompiledKind[],
  path: readonly string[],
): Problem[] {
  const other = kinds.find((kind) => snapshot.object(kind, path))
  if (identifiedBy === undefined || !other) return []
  const what = describe({ kind: other, path })
  const sentence = `The member ${identifiedBy}: duplicate value not allowed, there is already a ${what}.`
  return [{ member: identifiedBy, sentence }]
}
