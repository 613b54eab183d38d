import { Content } from '../engine/content.ts'
import { keyedTarget, type Target, type TargetCollection } from '../engine/target.ts'

/** Variables as they were at some moment. */
export type VariableCopy = ReadonlyMap<string, readonly [Target]>

/** Variables that rules write: TX, IP, SESSION … Keys are compared without case and keep the case in which they came. */
export class VariableCollection implements TargetCollection {
  readonly #name: string
  /** Each in a list of its own, as `byKey` gives it. */
  #targets = new Map<string, readonly [Target]>()

  /** @param name as in target names: `TX` */
  constructor(name: string) {
    this.#name = name
  }

  /** @param lowerKey in lower case */
  get(lowerKey: string): string | undefined {
    return this.#targets.get(lowerKey)?.[0].content.text
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0
  }

  /** All variables as they are now, for {@link restore}. */
  copy(): VariableCopy {
    return new Map(this.#targets)
  }

  /** Takes the variables of a copy in the place of its own. */
  restore(copy: VariableCopy): void {
    this.#targets = new Map(copy)
  }

  set(key: string, value: string): void {
    const lowerKey = key.toLowerCase()
    const known = this.#targets.get(lowerKey)?.[0]
    this.#targets.set(lowerKey, [keyedTarget(this.#name, known?.key ?? key, new Content(value))])
  }

  unset(key: string): void {
    this.#targets.delete(key.toLowerCase())
  }

  all(): readonly Target[] {
    return Array.from(this.#targets.values(), ([target]) => target)
  }

  byKey(lowerKey: string): readonly Target[] {
    return this.#targets.get(lowerKey) ?? noTargets
  }

  matching(isWanted: (key: string) => boolean): readonly Target[] {
    let found: Target[] | undefined
    for (const [target] of this.#targets.values()) {
      if (!isWanted(target.key)) continue
      found ??= []
      found.push(target)
    }
    return found ?? noTargets
  }
}

const noTargets: readonly Target[] = []
