import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { type Content, valuesOf } from '../objects/content.ts'
import { type Reference, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { forbidden } from './forbidden.ts'
import { outermostObject, type Permissions } from './permissions.ts'

/** The members by which a service is in a place; who reaches the place may put services there. */
const placeMembers = ['vsite', 'group']

/**
 * Refuses a change that makes an object name another one which the permissions do not let anybody see: by naming it
 * one could learn of it, use it, or copy what it holds. What was named before, and what defaults name, may stay.
 *
 * @param content what the object would hold, and what it held before or, when it is new, has by default
 * @throws RequestRefused forbidden
 */
export function refuseForeignReferences(
  permissions: Permissions,
  snapshot: Snapshot,
  { kind, path, content, section, before }: Referring,
): void {
  const references = referencesOf({ kind, path, content })
  for (const reference of references.filter(({ by }) => by.section === section)) {
    if (wasNamed(reference, before) || mayName(permissions, snapshot, kind, content, reference)) continue
    throw forbidden(`${reference.by.fieldName} ${JSON.stringify(reference.name)}`, 'read')
  }
}

interface Referring {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly content: Content
  /** The section that the change is about; the object's own members when undefined. */
  readonly section: string | undefined
  readonly before: Content
}

function wasNamed({ by, name }: Reference, before: Content): boolean {
  return [valuesOf(before, by.section)[by.fieldName] ?? []].flat().map(String).includes(name)
}

function mayName(
  permissions: Permissions,
  snapshot: Snapshot,
  kind: CompiledKind,
  { values }: Content,
  { by, places }: Reference,
): boolean {
  if (kind.name === 'service' && by.section === undefined && placeMembers.includes(by.fieldName)) {
    return permissions.mayReachAll(kind, 'write') || permissions.mayPlaceIn(values)
  }
  const target = places.find((place) => snapshot.object(place.kind, place.path))
  return (target ? [target] : places).every((place) =>
    permissions.mayRefer(place.kind, outermostObject(snapshot, place.kind, target?.path ?? [])),
  )
}
