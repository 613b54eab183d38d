import type { Behaviours } from '../../changes/behaviour.ts'
import { fieldsOf } from '../../changes/problems.ts'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import { type Field, isSecret } from '../../kinds/kind.ts'
import { sameValue, shownValue, type Value, type Values } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { type Content, completeContent, valuesOf } from '../../objects/content.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import type { Difference } from '../differences.ts'
import type { InitialContents } from '../initial-contents.ts'
import { objectTitle } from '../names.ts'
import { TimeSlices } from '../time-slices.ts'
import type { ListedOperation, OperationList } from './operation-list.ts'
import { inOrderOfReferences, keyOf } from './order-of-references.ts'

const apiRoot = '/restapi/v3.2'

/** What a list says of itself. */
export interface ListOrigin {
  readonly scope: 'full' | 'partial'
  /** The checkpoint, in partial lists. */
  readonly since?: string
}

/** What lists are written with. */
export interface ListWriting {
  readonly behaviours: Behaviours
  readonly initial: InitialContents
}

/**
 * The operations that make one configuration into another: objects are created before what names them, then what differs is
 * changed, then what is gone is deleted. Secrets are left out, and so are objects of which the system makes a part itself, such as
 * certificates; the metadata names them.
 *
 * @param snapshot the configuration that is to be made
 * @param differences from the other one to it, objects around others first
 */
export async function operationList(
  snapshot: Snapshot,
  differences: readonly Difference[],
  deps: ListWriting,
  origin: ListOrigin,
): Promise<OperationList> {
  const slices = new TimeSlices()
  const leftOut: string[] = []
  const created: ConfigurationObject[] = []
  const edits: ListedOperation[] = []
  const gone: Difference[] = []
  for (const difference of differences) {
    const { kind, path, before, after } = difference
    if (isMadeElsewhere(kind, deps)) {
      leftOut.push(objectTitle(kind, path))
    } else if (after) {
      const atFirst = before?.content ?? deps.initial.of(after)
      if (!atFirst) created.push(after)
      const base = atFirst ?? contentOfCreated(after, snapshot, deps)
      edits.push(...editsOf(after, base, leftOut))
    } else {
      gone.push(difference)
    }
    await slices.pause()
  }
  return {
    config: [
      ...inOrderOfReferences(created, snapshot).map(creationOf),
      ...edits,
      ...outermost(gone).map(deletionOf),
    ],
    Metadata: {
      generator: 'Palisade',
      ...origin,
      'configuration-version': snapshot.version,
      'left-out': leftOut,
    },
  }
}

function isMadeElsewhere({ name, identifiedBy }: CompiledKind, { behaviours }: ListWriting): boolean {
  return identifiedBy !== undefined && behaviours.get(name)?.prepare !== undefined
}

function creationOf({ kind, path, content }: ConfigurationObject): ListedOperation {
  const values = creationValues(kind, content.values)
  const shown = Array.from(kind.fields).flatMap(({ name, field }) => {
    const value = values[name]
    return value === undefined ? [] : [[name, shownValue(field, value)] as const]
  })
  const payload = { ...Object.fromEntries(shown), ...nameOf(kind, path) }
  return { operation: 'CREATE', ...placeOfObject(kind, path), payload }
}

/** What the creation of an object says: what differs from defaults and may be given and told. */
function creationValues({ fields }: CompiledKind, values: Values): Record<string, Value> {
  const members = Array.from(fields).filter(
    ({ name, field }) => isTold(field) && !sameValue(values[name], fields.defaults[name]),
  )
  return Object.fromEntries(members.flatMap(({ name }) => entryOf(name, values[name])))
}

/** What an object holds when it was created as the list says: behaviours add to it. */
function contentOfCreated(
  { kind, path, content }: ConfigurationObject,
  snapshot: Snapshot,
  { behaviours }: ListWriting,
): Content {
  const values = creationValues(kind, content.values)
  const complete = completeContent(kind, { values })
  const memberMap = new Map(Object.entries(values))
  const change = {
    kind,
    path,
    content: complete,
    section: undefined,
    given: memberMap,
    before: undefined,
    snapshot,
  }
  return behaviours.get(kind.name)?.complete?.(change).content ?? complete
}

/** The operations that make an object what it is, member by member, of what it was before or was created as. */
function editsOf(
  { kind, path, content }: ConfigurationObject,
  base: Content,
  leftOut: string[],
): ListedOperation[] {
  return [undefined, ...kind.sections.map(({ segment }) => segment)].flatMap((section) => {
    const [before, after] = [valuesOf(base, section), valuesOf(content, section)]
    if (before === after) return []
    const payload: Record<string, Value> = {}
    for (const { name, field } of fieldsOf(kind, section)) {
      if (sameValue(before[name], after[name]) || name === kind.identifiedBy) continue
      if (isTold(field) && !field.createOnly) payload[name] = shownValue(field, after[name])
      else if (!field.readOnly && !field.hidden) leftOut.push(`${name} of the ${objectTitle(kind, path)}`)
    }
    if (Object.keys(payload).length === 0) return []
    if (section === undefined) {
      const named = { ...payload, ...nameOf(kind, path) }
      return [{ operation: 'EDIT', ...placeOfObject(kind, path), payload: named }]
    }
    const place = placeAt([...segmentsOfObject(kind, path), ...section.split('/')])
    return [{ operation: 'EDIT', ...place, payload }]
  })
}

function deletionOf({ kind, path }: Difference): ListedOperation {
  return { operation: 'DELETE', ...placeOfObject(kind, path), payload: nameOf(kind, path) }
}

/** The objects that are not inside others of them. */
function outermost(gone: readonly Difference[]): Difference[] {
  const keys = new Set(gone.map(({ kind, path }) => keyOf(kind, path)))
  return gone.filter(
    ({ kind, path }) =>
      !kind.lineage.slice(0, -1).some((around, depth) => keys.has(keyOf(around, path.slice(0, depth + 1)))),
  )
}

/** Whether a request can give the member, and a document tell it. */
function isTold(field: Field): boolean {
  return !field.readOnly && !field.transient && !isSecret(field)
}

function nameOf({ identifiedBy }: CompiledKind, path: readonly string[]): Record<string, string> {
  return identifiedBy === undefined ? {} : { [identifiedBy]: path.at(-1) ?? '' }
}

function placeOfObject(
  kind: CompiledKind,
  path: readonly string[],
): Pick<ListedOperation, 'type' | 'parent'> {
  return placeAt(segmentsAround(kind, path))
}

/** @param segments of the address after the version */
function placeAt(segments: readonly string[]): Pick<ListedOperation, 'type' | 'parent'> {
  return { type: segments.at(-1) ?? '', parent: [apiRoot, ...segments.slice(0, -1)].join('/') }
}

/** The address of the collection in which the object lies, or of the single object. */
function segmentsAround({ lineage, segments }: CompiledKind, path: readonly string[]): string[] {
  const around = lineage.at(-2)
  return [...(around ? segmentsOfObject(around, path.slice(0, -1)) : []), ...segments]
}

function segmentsOfObject(kind: CompiledKind, path: readonly string[]): string[] {
  const name = kind.identifiedBy === undefined ? [] : [encodeURIComponent(path.at(-1) ?? '')]
  return [...segmentsAround(kind, path), ...name]
}

function entryOf(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]]
}
