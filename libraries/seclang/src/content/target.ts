import type { Content } from './content.ts'

/** One value that a rule looks at. */
export interface Target {
  /** Of the variable: `ARGS`. */
  readonly variable: string
  /** Within the variable, as the client wrote it; empty for variables without keys. */
  readonly key: string
  /** As rules see it in MATCHED_VAR_NAME: `ARGS:user`, `REQUEST_METHOD`. */
  readonly name: string
  readonly content: Content
  /** Present where `content` is what transformations have made of it: what it was before. */
  readonly source?: Content
  /** Whether it is something else that another target could mean to an application. Rules that count do not count it. */
  readonly isReading?: true
}

/** The values of a variable. Keys are compared without case. */
export interface TargetCollection {
  all(): readonly Target[]
  /** @param lowerKey in lower case */
  byKey(lowerKey: string): readonly Target[]
  /** Those whose key is wanted. */
  matching(isWanted: (key: string) => boolean): readonly Target[]
}

/** A target of a variable with keys. */
export function keyedTarget(variable: string, key: string, content: Content): Target {
  return { variable, key, name: `${variable}:${key}`, content }
}

/** A target of a variable without keys. */
export function plainTarget(variable: string, content: Content): Target {
  return { variable, key: '', name: variable, content }
}

/** A collection whose values do not change any more. */
export class FixedCollection implements TargetCollection {
  readonly #targets: readonly Target[]
  #byLowerKey: Map<string, Target[]> | undefined

  constructor(targets: readonly Target[]) {
    this.#targets = targets
  }

  all(): readonly Target[] {
    return this.#targets
  }

  byKey(lowerKey: string): readonly Target[] {
    this.#byLowerKey ??= Map.groupBy(this.#targets, ({ key }) => key.toLowerCase())
    return this.#byLowerKey.get(lowerKey) ?? noTargets
  }

  matching(isWanted: (key: string) => boolean): readonly Target[] {
    return this.#targets.filter(({ key }) => isWanted(key))
  }
}

const noTargets: readonly Target[] = []

/** A collection without values. */
export const emptyCollection: TargetCollection = new FixedCollection(noTargets)
