import { problemOfExpression } from '@palisade/proxy-protocol'
import { attackTypeNamed, expressionOf } from '../features/patterns/compile.ts'
import { texts } from '../kinds/conversions.ts'
import { type ConfigurationObject, subtree } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { referencesOf, referredObject } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/**
 * The patterns for which nothing is searched although a service or its policy names their type, because no proxy runs their expression:
 * sentences.
 */
export function patternsNotRun(
  service: ConfigurationObject,
  policy: ConfigurationObject | undefined,
  snapshot: Snapshot,
): string[] {
  return [...reachedFrom([service, ...(policy ? [policy] : [])], snapshot)].flatMap((object) => {
    const expression = expressionOf(object)
    const problem = expression === undefined ? undefined : problemOfExpression(expression)
    if (problem === undefined) return []
    const [type] = object.path
    return [`Nothing is searched for the pattern ${object.name} of ${type}: ${problem}`]
  })
}

/** These objects, those inside them, and all that they name, directly or by others. */
function reachedFrom(roots: readonly ConfigurationObject[], snapshot: Snapshot): Set<ConfigurationObject> {
  const reached = new Set<ConfigurationObject>()
  const waiting = [...roots]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const object of subtree(next)) {
      if (reached.has(object)) continue
      reached.add(object)
      waiting.push(...named(object, snapshot))
    }
  }
  return reached
}

function named(object: ConfigurationObject, snapshot: Snapshot): ConfigurationObject[] {
  const references = referencesOf(object).flatMap((reference) => referredObject(reference, snapshot) ?? [])
  return [...references, ...listedTypes(object, snapshot)]
}

/** Types of attacks that are called by their names in lists of choices. */
function listedTypes(object: ConfigurationObject, snapshot: Snapshot): ConfigurationObject[] {
  return [undefined, ...object.kind.sections.map(({ segment }) => segment)]
    .flatMap((section) => texts(valuesOf(object.content, section)['blocked-attack-types']))
    .flatMap((name) => attackTypeNamed(name, object, snapshot) ?? [])
}
