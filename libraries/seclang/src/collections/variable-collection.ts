import { Content } from '../content/content.ts'
import { keyedTarget, type Target, type TargetCollection } from '../content/target.ts'

/** Variables as they were at some moment. */
export type VariableCopy = ReadonlyMap<string, readonly [Target]>

/** Variables that rules write: TX, IP, SESSION … Keys are compared without case and keep the case in which they came. */
export class VariableCollection implements TargetCollection {
  readonly #name: string
  /** What many transactions begin with, and none of them changes. */
  #base: VariableCopy = noVariables
  /** Each in a list of its own, as `byKey` gives it; takes the place of one of that key in the base. */
  #targets = new Map<string, readonly [Target]>()
  readonly #watchedKeys: ReadonlySet<string>
  /** Counts the changes of watched variables. */
  changes = 0

  /**
   * @param name as in target names: `TX`
   * @param watchedKeys of the variables whose changes are counted, in lower case
   */
  constructor(name: string, watchedKeys: ReadonlySet<string> = noKeys) {
    this.#name = name
    this.#watchedKeys = watchedKeys
  }

  /** @param lowerKey in lower case */
  get(lowerKey: string): string | undefined {
    return this.#find(lowerKey)?.[0].content.text
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0 && this.#base.size === 0
  }

  /** All variables as they are now, for {@link restore}. */
  copy(): VariableCopy {
    return this.#all()
  }

  /** Takes the variables of a copy in the place of its own. */
  restore(copy: VariableCopy): void {
    this.#base = copy
    this.#targets.clear()
    this.changes++
  }

  set(key: string, value: string): void {
    const lowerKey = key.toLowerCase()
    const target = this.#find(lowerKey)?.[0]
    this.#targets.set(lowerKey, [keyedTarget(this.#name, target?.key ?? key, new Content(value))])
    if (this.#watchedKeys.has(lowerKey)) this.changes++
  }

  unset(key: string): void {
    const lowerKey = key.toLowerCase()
    if (this.#base.has(lowerKey)) {
      this.#targets = this.#all()
      this.#base = noVariables
    }
    if (this.#targets.delete(lowerKey) && this.#watchedKeys.has(lowerKey)) this.changes++
  }

  all(): readonly Target[] {
    return this.matching(everyKey)
  }

  byKey(lowerKey: string): readonly Target[] {
    return this.#find(lowerKey) ?? noTargets
  }

  /** @param isWanted always says the same of a key; the same function each time where it is asked often */
  matching(isWanted: KeyTest): readonly Target[] {
    const targets: Target[] = []
    for (const { lowerKey, target } of wantedOf(this.#base, isWanted)) {
      targets.push(this.#targets.get(lowerKey)?.[0] ?? target)
    }
    // Iterating over entries makes an array of each.
    this.#targets.forEach(([target], lowerKey) => {
      if (isWanted(target.key) && !this.#base.has(lowerKey)) targets.push(target)
    })
    return targets
  }

  #find(lowerKey: string): readonly [Target] | undefined {
    return this.#targets.get(lowerKey) ?? this.#base.get(lowerKey)
  }

  #all(): Map<string, readonly [Target]> {
    const all = new Map(this.#base)
    for (const [key, target] of this.#targets) all.set(key, target)
    return all
  }
}

/** Which keys somebody wants. */
type KeyTest = (key: string) => boolean

interface Wanted {
  readonly lowerKey: string
  readonly target: Target
}

const everyKey: KeyTest = () => true

/** A base is that of many transactions, and rules that read keys by a pattern read it in each. */
const wantedByBase = new WeakMap<VariableCopy, WeakMap<KeyTest, readonly Wanted[]>>()

/** The variables of a base whose keys are wanted, found once for the two. */
function wantedOf(base: VariableCopy, isWanted: KeyTest): readonly Wanted[] {
  const byTest = wantedByBase.get(base) ?? new WeakMap<KeyTest, readonly Wanted[]>()
  const before = byTest.get(isWanted)
  if (before !== undefined) return before
  const wanted = Array.from(base, ([lowerKey, [target]]) => ({ lowerKey, target })).filter(({ target }) =>
    isWanted(target.key),
  )
  wantedByBase.set(base, byTest.set(isWanted, wanted))
  return wanted
}

const noTargets: readonly Target[] = []
const noVariables: VariableCopy = new Map()
const noKeys: ReadonlySet<string> = new Set()
