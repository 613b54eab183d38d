import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { placeOf, referencesOf } from '../../objects/references.ts'
import type { Snapshot } from '../../objects/snapshot.ts'

/**
 * The objects in an order in which each can be created: what lies around an object and what its own members name come before it. What its
 * sections name does not matter, since they are changed later.
 */
export function inOrderOfReferences(
  objects: readonly ConfigurationObject[],
  snapshot: Snapshot,
): ConfigurationObject[] {
  const waiting = new Map(objects.map((object) => [keyOf(object.kind, object.path), object]))
  const ordered: ConfigurationObject[] = []
  const visit = (kind: CompiledKind, path: readonly string[]): void => {
    const key = keyOf(kind, path)
    const object = waiting.get(key)
    if (!object) return
    // Taken out first: two objects that name each other would be visited for ever.
    waiting.delete(key)
    const around = kind.lineage.at(-2)
    if (around) visit(around, path.slice(0, -1))
    for (const reference of referencesOf(object)) {
      const place = reference.by.section === undefined ? placeOf(reference, snapshot) : undefined
      if (place) visit(place.kind, place.path)
    }
    ordered.push(object)
  }
  for (const { kind, path } of objects) visit(kind, path)
  return ordered
}

/** Tells objects apart, wherever they lie. */
export function keyOf({ name }: CompiledKind, path: readonly string[]): string {
  return JSON.stringify([name, path])
}
