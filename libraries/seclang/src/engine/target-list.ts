import { KeySelector } from '../content/key-selector.ts'
import type { Target } from '../content/target.ts'
import { exclusionFor, type TargetExclusion } from '../content/target-exclusion.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Selector, VariableSyntax } from '../language/syntax.ts'
import { variableNamed } from '../variables/index.ts'
import type { Variable } from '../variables/variable.ts'
import { TargetSource } from './target-source.ts'

/** One variable of TX. */
export interface TxVariable {
  readonly lowerKey: string
  /** Whether it is asked whether there is one, 0 or 1, and not for its value. */
  readonly isCounted: boolean
}

/** The sources of a rule set, each once. */
export class TargetSources {
  readonly #sources = new Map<string, TargetSource>()
  #slots = 0

  /** How many were given. */
  get slots(): number {
    return this.#slots
  }

  /** A place of its own in what an inspection remembers ({@link Inspection.remembered}), for whoever reads these sources. */
  newSlot(): number {
    return this.#slots++
  }

  /** @throws {Error} when the variable is not known or does not take the key */
  sourceOf({ name, selector }: VariableSyntax): TargetSource {
    const text = JSON.stringify([name, selector])
    const source = this.#sources.get(text)
    if (source !== undefined) return source
    const variable = variableNamed(name)
    checkKey(variable, selector)
    const newSource = new TargetSource(
      variable,
      selector === undefined ? undefined : new KeySelector(selector),
    )
    this.#sources.set(text, newSource)
    return newSource
  }
}

/** The variables of a rule, ready to be read. Rules with the same variables share one list. */
export class TargetList {
  readonly #reads: readonly Read[]
  readonly #slot: number
  /** Whether the targets are the same all through a phase. */
  readonly isStable: boolean
  /** Whether they are the same all through a transaction, whatever its rules do. */
  readonly isSettled: boolean
  /** Whether all that it reads can be read by itself, before anything is left out; a number of values is another one then. */
  readonly isReadable: boolean

  /** @throws {Error} when a variable is not known or takes no key */
  constructor(variables: readonly VariableSyntax[], sources: TargetSources) {
    this.#slot = sources.newSlot()
    const exclusions = variables.filter(({ mode }) => mode === 'exclude').map(exclusionOf)
    this.#reads = variables
      .filter(({ mode }) => mode !== 'exclude')
      .map((syntax) => readOf(syntax, exclusions, sources))
      .filter((read) => read !== undefined)
    this.isStable = this.#reads.every(({ source }) => source.variable.lifetime !== 'volatile')
    this.isSettled = this.#reads.every(
      ({ source: { variable } }) => variable.lifetime === 'transaction' && variable.isLimited !== true,
    )
    this.isReadable = this.#reads.every(({ isCounted, exclusions: own }) => !isCounted || own.length === 0)
  }

  /** What it reads, before anything is left out of that. */
  get sources(): readonly SourceRead[] {
    return this.#reads
  }

  /** Whether it reads nothing but variables of TX. */
  get readsOnlyTx(): boolean {
    return this.#reads.every(({ source }) => source.variable.name === 'TX')
  }

  /** The variables of TX that are all it reads; undefined where it reads something else. */
  get txVariables(): readonly TxVariable[] | undefined {
    const variables = this.#reads.map(txVariableOf)
    return variables.every((variable) => variable !== undefined) ? variables : undefined
  }

  /** The targets in the order in which the rule names them. */
  targets(inspection: Inspection): readonly Target[] {
    if (!this.isStable) return this.#collect(inspection)
    const targets = inspection.remembered(this.#slot) as readonly Target[] | undefined
    return targets ?? inspection.remember(this.#slot, this.#collect(inspection))
  }

  #collect(inspection: Inspection): readonly Target[] {
    let first: readonly Target[] | undefined
    let others: (readonly Target[])[] | undefined
    for (const read of this.#reads) {
      const targets = targetsOf(read, inspection)
      if (targets.length === 0) continue
      if (first === undefined) first = targets
      else if (others === undefined) others = [targets]
      else others.push(targets)
    }
    if (first === undefined) return []
    return others === undefined ? first : first.concat(...others)
  }
}

/**
 * Makes an exclusion of a variable as it is written after `!` or in `ctl:ruleRemoveTargetById`.
 *
 * @throws {Error} when the variable is not known
 */
export function exclusionOf({ name, selector }: VariableSyntax): TargetExclusion {
  const variable = variableNamed(name)
  return selector === undefined
    ? { variable: variable.name }
    : { variable: variable.name, key: new KeySelector(selector) }
}

/** One of the variables of a list, with what is taken of it. */
export interface SourceRead {
  readonly source: TargetSource
  /** Whether the number of values is wanted and not the values. */
  readonly isCounted: boolean
}

interface Read extends SourceRead {
  readonly exclusions: readonly TargetExclusion[]
}

function readOf(
  syntax: VariableSyntax,
  exclusions: readonly TargetExclusion[],
  sources: TargetSources,
): Read | undefined {
  const source = sources.sourceOf(syntax)
  const own = exclusions.filter(({ variable }) => variable === source.variable.name)
  if (own.some(({ key }) => key === undefined)) return undefined
  return { source, isCounted: syntax.mode === 'count', exclusions: own }
}

function txVariableOf({ source, isCounted, exclusions }: Read): TxVariable | undefined {
  const { variable, lowerKey } = source
  if (variable.name !== 'TX' || lowerKey === undefined || exclusions.length > 0) return undefined
  return { lowerKey, isCounted }
}

function checkKey(variable: Variable, selector: Selector | undefined): void {
  if (selector !== undefined && !variable.hasKeys) throw new Error(`${variable.name} takes no key`)
  if (variable.keys === undefined || (selector?.kind === 'key' && variable.keys.includes(selector.key)))
    return
  throw new Error(`${variable.name} takes one of the keys ${variable.keys.join(' and ')}`)
}

function targetsOf({ source, isCounted, exclusions }: Read, inspection: Inspection): readonly Target[] {
  const selected = source.targets(inspection)
  const targets = exclusions.length === 0 ? selected : without(selected, exclusions)
  return isCounted ? source.count.of(targets) : targets
}

/** The same array when nothing is excluded. */
function without(targets: readonly Target[], exclusions: readonly TargetExclusion[]): readonly Target[] {
  for (const target of targets) {
    if (exclusionFor(target, exclusions) === undefined) continue
    return targets.filter((one) => exclusionFor(one, exclusions) === undefined)
  }
  return targets
}
