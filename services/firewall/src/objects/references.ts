import type { CompiledKind, CompiledReference } from '../kinds/compiled-kind.ts'
import type { Value } from '../kinds/values.ts'
import type { ConfigurationObject } from './configuration-object.ts'
import { type Content, valuesOf, withValues } from './content.ts'
import type { Snapshot } from './snapshot.ts'

/** One object named by another. */
export interface Reference {
  readonly by: CompiledReference
  readonly name: string
  /** Where the named object may be, in the order in which it is looked for. */
  readonly places: readonly Place[]
}

/** Where an object is, or would have to be. */
export interface Place {
  readonly kind: CompiledKind
  readonly path: readonly string[]
}

type Referring = Pick<ConfigurationObject, 'kind' | 'path' | 'content'>

/** The references that an object makes, or would make if it held this content. */
export function referencesOf({ kind, path, content }: Referring): Reference[] {
  return referencesBy(kind.references, path, content)
}

function referencesBy(
  references: readonly CompiledReference[],
  path: readonly string[],
  content: Content,
): Reference[] {
  return references.flatMap((by) => {
    const values = valuesOf(content, by.section)
    return [values[by.fieldName] ?? []]
      .flat()
      .map(String)
      .filter((name) => !by.field.orOneOf?.includes(name))
      .map((name) => ({
        by,
        name,
        places: by.targets.map((target) => {
          const around = by.within
            ? by.within.map((fieldName) => String(values[fieldName] ?? ''))
            : path.slice(0, target.lineage.length - 1)
          return { kind: target, path: [...around, name] }
        }),
      }))
  })
}

/** The references that one member makes, in the order in which they are written. @param section undefined for a member of its own */
export function referencesIn(object: Referring, section: string | undefined, member: string): Reference[] {
  const { kind, path, content } = object
  const ofMember = kind.references.filter((by) => by.section === section && by.fieldName === member)
  return referencesBy(ofMember, path, content)
}

/** The object that a reference leads to; undefined when it is not there. */
export function referredObject(reference: Reference, snapshot: Snapshot): ConfigurationObject | undefined {
  const place = placeOf(reference, snapshot)
  return place && snapshot.object(place.kind, place.path)
}

/** Where the named object is; undefined when there is none. */
export function placeOf(reference: Reference, snapshot: Snapshot): Place | undefined {
  return reference.places.find(({ kind, path }) => snapshot.object(kind, path))
}

/** Whether what is referred to is the object, or lies inside it. */
function leadsInto(
  reference: Reference,
  object: Pick<ConfigurationObject, 'kind' | 'path'>,
  snapshot: Snapshot,
): boolean {
  const depth = object.path.length
  const mayLead = reference.places.some((place) => liesIn(place, object, depth))
  const place = mayLead ? placeOf(reference, snapshot) : undefined
  return place !== undefined && liesIn(place, object, depth)
}

function liesIn({ kind, path }: Place, object: Place, depth: number): boolean {
  return kind.lineage[depth - 1] === object.kind && object.path.every((name, index) => path[index] === name)
}

/** The objects that name the object, or something inside it, with the references by which they do. */
export function* referrersOf(
  object: ConfigurationObject,
  snapshot: Snapshot,
): Generator<{ readonly referrer: ConfigurationObject; readonly references: readonly Reference[] }> {
  for (const [kind, possible] of object.kind.referrers) {
    for (const referrer of snapshot.everyOf(kind)) {
      const references = referencesBy(possible, referrer.path, referrer.content).filter((reference) =>
        leadsInto(reference, object, snapshot),
      )
      if (references.length > 0) yield { referrer, references }
    }
  }
}

/** The content with another name wherever these references name their object. */
export function withOtherName(content: Content, references: readonly Reference[], name: string): Content {
  return references.reduce((changed, { by, name: before }) => {
    const values = valuesOf(changed, by.section)
    const value = values[by.fieldName]
    const renamed: Value = Array.isArray(value)
      ? value.map((item: string) => (item === before ? name : item))
      : name
    return withValues(changed, by.section, { ...values, [by.fieldName]: renamed })
  }, content)
}
