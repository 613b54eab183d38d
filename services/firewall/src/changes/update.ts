import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { type ConfigurationObject, subtree } from '../objects/configuration-object.ts'
import { type Content, valuesOf, withValues } from '../objects/content.ts'
import { placeOf, referrersOf, withOtherName } from '../objects/references.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import { withSettled } from './behaviour.ts'
import { nameProblems, type Order } from './create.ts'
import { refuseFactoryObject } from './delete.ts'
import { differences, type MemberChange, mergeMembers, withoutTransient } from './members.ts'
import { createdBy, type Plan, refuseProblems } from './plan.ts'
import { fieldsOf, problemsOfChange, problemsOfContent, problemsOfDestinations } from './problems.ts'

/**
 * Plans a change of an object's members or of one of its sections; members that the body leaves out stay as they
 * are. Another name moves the object, with everything inside it, and whatever names it follows.
 *
 * @param section the segment of the section; the plain members when undefined
 * @throws ConfigurationRefused not-acceptable, with every fault of the body, or factory-object
 */
export function planUpdate(
  snapshot: Snapshot,
  object: ConfigurationObject,
  section: string | undefined,
  { given, settled, behaviour }: Order,
): Plan {
  const { kind } = object
  const fields = fieldsOf(kind, section)
  const before = valuesOf(object.content, section)
  const values = mergeMembers(before, given, fields)
  const askedContent = withValues(object.content, section, values)
  const path = [...object.path.slice(0, -1), nameIn(askedContent, object)]
  const isRenamed = path.at(-1) !== object.name
  if (isRenamed) behaviour?.refuseName?.(path, snapshot)
  const candidate = { kind, path, content: askedContent, section }
  refuseProblems(given.problems, [
    ...problemsOfContent(
      snapshot,
      candidate,
      (member) => given.values.has(member) && before[member] !== undefined,
    ),
    ...problemsOfChange(candidate, before, false),
    ...problemsOfDestinations(candidate, before, (member) => given.values.has(member)),
    ...(isRenamed ? nameProblems(snapshot, kind, path) : []),
  ])
  const result = withSettled(withoutTransient(values, fields), settled)
  const content = withValues(object.content, section, result)
  const completion = behaviour?.complete?.({
    kind,
    path,
    content,
    section,
    given: given.values,
    before: object,
    snapshot,
  })
  refuseProblems(completion?.problems ?? [])
  const { content: completed = content, writes: further = [] } = completion ?? {}
  const changes = allDifferences(kind, object.content, completed)
  const ownWrites = isRenamed
    ? renaming(snapshot, object, path, completed)
    : changes.length > 0
      ? [{ kind, path, content: completed }]
      : []
  return {
    action: 'update',
    object: { kind, path },
    ...(isRenamed ? { renamedFrom: object.path } : {}),
    writes: [...ownWrites, ...further],
    changes,
    createdBeside: createdBy(snapshot, further),
  }
}

/** The members of an object and of its sections whose values differ, secrets hidden. */
export function allDifferences(kind: CompiledKind, before: Content, after: Content): MemberChange[] {
  return [
    ...differences(kind.fields, before.values, after.values),
    ...kind.sections.flatMap(({ segment, title, fields }) =>
      before.sections[segment] === after.sections[segment]
        ? []
        : differences(fields, valuesOf(before, segment), valuesOf(after, segment), title),
    ),
  ]
}

/** The name that the content gives the object; a single object keeps its own. */
function nameIn({ values }: Content, { kind, name }: ConfigurationObject): string {
  return kind.identifiedBy === undefined ? name : String(values[kind.identifiedBy] ?? '')
}

function renaming(
  snapshot: Snapshot,
  object: ConfigurationObject,
  path: readonly string[],
  content: Content,
): Write[] {
  refuseFactoryObject(object)
  const moved = new Set(subtree(object))
  const name = path.at(-1) ?? ''
  const naming = new Map(
    Array.from(referrersOf(object, snapshot), ({ referrer, references }) => [
      referrer,
      references.filter((reference) => placeOf(reference, snapshot)?.kind === object.kind),
    ]),
  )
  const following = (one: ConfigurationObject) =>
    withOtherName(one === object ? content : one.content, naming.get(one) ?? [], name)
  const removals = Array.from(moved, (one): Write => ({ kind: one.kind, path: one.path, content: undefined }))
  const arrivals = Array.from(moved, (one): Write => {
    return { kind: one.kind, path: [...path, ...one.path.slice(path.length)], content: following(one) }
  })
  const followers = [...naming.keys()]
    .filter((one) => !moved.has(one))
    .map((one): Write => ({ kind: one.kind, path: one.path, content: following(one) }))
    .filter(({ content: after, kind, path: at }) => after !== snapshot.object(kind, at)?.content)
  return [...removals, ...arrivals, ...followers]
}
