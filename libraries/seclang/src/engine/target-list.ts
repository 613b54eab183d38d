import type { Selector, VariableSyntax } from '../language/syntax.ts'
import { compilePattern, type Pattern } from '../matching/index.ts'
import { variableNamed } from '../variables/index.ts'
import type { Variable } from '../variables/variable.ts'
import { Content } from './content.ts'
import type { Inspection } from './inspection.ts'
import { plainTarget, type Target, type TargetCollection } from './target.ts'

/** Takes targets away: those of a variable whose key fits. */
export interface Exclusion {
  /** In upper case. */
  readonly variable: string
  /** Absent when all keys fit. */
  readonly key?: KeySelector
  /** Whether what a rule would find there is told all the same; nothing else follows from it. */
  readonly isLogged?: boolean
}

type KeySelector =
  | { readonly kind: 'key'; readonly lowerKey: string }
  | { readonly kind: 'pattern'; readonly pattern: Pattern }

/** The variables of a rule, ready to be read. Rules with the same variables share one list. */
export class TargetList {
  readonly #reads: readonly Read[]
  readonly #isStable: boolean

  /** @throws {Error} when a variable is not known or takes no key */
  constructor(variables: readonly VariableSyntax[]) {
    const exclusions = variables.filter(({ mode }) => mode === 'exclude').map(exclusionOf)
    this.#reads = variables
      .filter(({ mode }) => mode !== 'exclude')
      .map((syntax) => readOf(syntax, exclusions))
      .filter((read) => read !== undefined)
    this.#isStable = this.#reads.every(({ variable }) => variable.lifetime !== 'volatile')
  }

  /** Whether the targets are the same all through a phase. */
  get isStable(): boolean {
    return this.#isStable
  }

  /** What is read, in the order in which the rule names it. */
  get reads(): readonly Read[] {
    return this.#reads
  }

  /** The targets in the order in which the rule names them. */
  collect(inspection: Inspection): readonly Target[] {
    const [first, second] = this.#reads
    if (first === undefined) return []
    if (second === undefined) return targetsOf(first, inspection)
    const targets: Target[] = []
    for (const read of this.#reads) for (const target of targetsOf(read, inspection)) targets.push(target)
    return targets
  }
}

/** Whether an exclusion takes a target away. */
export function excludes(exclusion: Exclusion, target: Target): boolean {
  if (exclusion.variable !== target.variable) return false
  const { key } = exclusion
  if (key === undefined) return true
  return key.kind === 'key' ? key.lowerKey === target.key.toLowerCase() : key.pattern.test(target.key)
}

/**
 * Makes an exclusion of a variable as it is written after `!` or in `ctl:ruleRemoveTargetById`.
 *
 * @throws {Error} when the variable is not known
 */
export function exclusionOf({ name, selector }: VariableSyntax): Exclusion {
  const variable = variableNamed(name)
  return selector === undefined
    ? { variable: variable.name }
    : { variable: variable.name, key: keySelectorOf(selector) }
}

/** One of the variables of a list, with what is wanted of it. */
export interface Read {
  readonly variable: Variable
  /** Undefined unless the number of values is wanted and not the values: what was made of it for 0, 1 and so on. */
  readonly counts: Target[] | undefined
  readonly key: KeySelector | undefined
  readonly exclusions: readonly Exclusion[]
}

/** Larger counts are made anew each time. */
const keptCountsMax = 16

function readOf(syntax: VariableSyntax, exclusions: readonly Exclusion[]): Read | undefined {
  const variable = variableNamed(syntax.name)
  checkKey(variable, syntax.selector)
  const own = exclusions.filter((exclusion) => exclusion.variable === variable.name)
  if (own.some(({ key }) => key === undefined)) return undefined
  const { selector } = syntax
  return {
    variable,
    counts: syntax.mode === 'count' ? [] : undefined,
    key: selector === undefined ? undefined : keySelectorOf(selector),
    exclusions: own,
  }
}

function checkKey(variable: Variable, selector: Selector | undefined): void {
  if (selector !== undefined && !variable.hasKeys) throw new Error(`${variable.name} takes no key`)
  if (variable.keys === undefined || (selector?.kind === 'key' && variable.keys.includes(selector.key)))
    return
  throw new Error(`${variable.name} takes one of the keys ${variable.keys.join(' and ')}`)
}

function keySelectorOf(selector: Selector): KeySelector {
  return selector.kind === 'key'
    ? { kind: 'key', lowerKey: selector.key.toLowerCase() }
    : { kind: 'pattern', pattern: compilePattern(`(?i)${selector.source}`) }
}

function targetsOf(read: Read, inspection: Inspection): readonly Target[] {
  const selected = select(inspection.read(read.variable), read.key)
  const kept =
    read.exclusions.length === 0
      ? selected
      : selected.filter((target) => !read.exclusions.some((exclusion) => excludes(exclusion, target)))
  return read.counts === undefined ? kept : [countOf(kept.length, read.variable, read.counts)]
}

/** The count as a target: the same for all transactions, since few counts are many. */
function countOf(count: number, { name }: Variable, known: Target[]): Target {
  const target = known[count] ?? plainTarget(name, new Content(String(count)))
  if (count < keptCountsMax) known[count] = target
  return target
}

function select(collection: TargetCollection, key: KeySelector | undefined): readonly Target[] {
  if (key === undefined) return collection.all()
  return key.kind === 'key' ? collection.byKey(key.lowerKey) : collection.matching(key.pattern)
}
