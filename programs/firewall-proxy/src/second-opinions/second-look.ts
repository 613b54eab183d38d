import { compilePattern, type RuleExclusions, type RuleSet, type Transaction } from '@palisade/seclang'
import { isOrdinaryText, type MistakenFor } from './ordinary-text.ts'

/** Numbers of rules, both ends among them. */
export interface RuleRange {
  readonly first: number
  readonly last: number
}

/**
 * Rules that go by words and patterns. Not among them: those that ask libinjection (941100, 942100), and those for which text is no
 * excuse, such as functions of the environment (932170), serialized objects (933170) and calls through variables (933180, 933210).
 */
const rulesByWords: Readonly<Record<MistakenFor, readonly RuleRange[]>> = {
  sqli: [{ first: 942_110, last: 942_999 }],
  xss: [{ first: 941_110, last: 941_999 }],
  rce: [
    { first: 932_100, last: 932_169 },
    { first: 932_200, last: 932_999 },
  ],
  php: [
    { first: 933_100, last: 933_109 },
    { first: 933_120, last: 933_169 },
  ],
  lfi: [{ first: 930_100, last: 930_130 }],
}

const sorts = Object.keys(rulesByWords) as MistakenFor[]

/** How the numbers of all rules of a sort begin. */
const thousands: Readonly<Record<MistakenFor, number>> = { sqli: 942, xss: 941, rce: 932, php: 933, lfi: 930 }

/** What they found needs an excuse. All others, about scores and about proper HTTP, judge the request as before. */
const rulesAboutAttacks = { first: 930_000, last: 948_999 }

/** Whoever has left out so many rules about one sort of attack somewhere knows that what they look for is written there. */
const exceptedRulesMin = 3

const ordinaryText = 'it is ordinary text, in which libinjection finds nothing'

const knownThere = 'exceptions leave out other rules of their sort for it'

/** Parameters in which people write. */
export interface WrittenParameter {
  /** As rules write it: `comment`, `/^text_/`. */
  readonly name: string
  /** Numbers of rules that are left out for it anyway, by decision of an administrator. */
  readonly exceptedRules: readonly number[]
}

/** What was found out about one parameter of a request, so that it need not block. */
export interface HarmlessParameter {
  /** As the rules name it: `ARGS:comment`. */
  readonly target: string
  readonly rules: readonly number[]
  /** In words, as the rest of a sentence. */
  readonly because: string
}

/** What rules may leave out of a request when they look at it again. */
export interface SecondOpinion {
  readonly exclusions: RuleExclusions
  /** To be asked after the rules have looked again. */
  readonly excused: readonly HarmlessParameter[]
}

/**
 * A second look at requests that rules refused, for parameters in which people write: rules that go by words are left out for values
 * that cannot be attacks of their sort, and nothing else is. Whether that is enough for the request to pass is for the rules to say, in a
 * new transaction with these exclusions. Prepared once for a rule set.
 */
export class SecondLook {
  readonly #ruleSet: RuleSet
  readonly #parameters: readonly Written[]

  constructor(ruleSet: RuleSet, parameters: readonly WrittenParameter[]) {
    this.#ruleSet = ruleSet
    this.#parameters = parameters.map((parameter) => writtenOf(parameter))
  }

  /** @returns undefined when nothing can be excused of what the rules found */
  at({ matches }: Pick<Transaction, 'matches'>): SecondOpinion | undefined {
    const aboutAttacks = matches.filter(({ ruleId }) => isWithin(ruleId, rulesAboutAttacks))
    const byTarget = Map.groupBy(aboutAttacks, ({ targetName }) => targetName)
    const excuses = Array.from(byTarget, ([target, attacks]) => {
      const rules = [...new Set(attacks.map(({ ruleId }) => ruleId))]
      return this.#excuse(target, rules)
    }).filter((excuse) => excuse !== undefined)
    // Parameters of one pattern share what is left out for them.
    const [first, ...others] = new Set(excuses.flatMap(({ exclusions }) => exclusions))
    if (first === undefined) return undefined
    return { exclusions: others.reduce((all, one) => all.and(one), first), excused: excuses }
  }

  #excuse(
    target: string,
    rules: readonly number[],
  ): (HarmlessParameter & { readonly exclusions: readonly RuleExclusions[] }) | undefined {
    const written = this.#parameters.find(({ fits }) => fits(target))
    if (written === undefined) return undefined
    const sorts = rules.map(sortOf)
    if (sorts.some((sort) => sort === undefined)) return undefined
    const distinct = [...new Set(sorts)].filter((sort) => sort !== undefined)
    const isKnown = distinct.every((sort) => written.knows.has(sort))
    // What looks like attacks of several sorts is not mistaken for one.
    if (!isKnown && distinct.length > 1) return undefined
    return {
      target,
      rules,
      because: isKnown ? knownThere : ordinaryText,
      exclusions: distinct.map((sort) => written.without(sort, this.#ruleSet)),
    }
  }
}

/** A parameter made ready. */
interface Written {
  readonly fits: (target: string) => boolean
  readonly knows: ReadonlySet<MistakenFor>
  readonly without: (sort: MistakenFor, ruleSet: RuleSet) => RuleExclusions
}

function writtenOf({ name, exceptedRules }: WrittenParameter): Written {
  const expression = /^\/(.*)\/$/s.exec(name)?.[1]
  const pattern = expression === undefined ? undefined : compilePattern(`(?i)${expression}`)
  const knows = new Set(
    sorts.filter((sort) => {
      const ofSort = exceptedRules.filter((rule) => Math.floor(rule / 1000) === thousands[sort])
      return new Set(ofSort).size >= exceptedRulesMin
    }),
  )
  const prepared = new Map<MistakenFor, RuleExclusions>()
  return {
    knows,
    fits: (target) => {
      const own = /^ARGS(?:_GET|_POST)?:(.*)$/s.exec(target)?.[1]
      return own !== undefined && (pattern?.test(own) ?? own.toLowerCase() === name.toLowerCase())
    },
    without: (sort, ruleSet) => {
      const exclusions = prepared.get(sort)
      if (exclusions !== undefined) return exclusions
      const targets = ['ARGS', 'ARGS_GET', 'ARGS_POST'].map((variable) => `${variable}:${name}`)
      const hasValue = remembered((value) => isOrdinaryText(value, sort, ruleSet.injections))
      const without = ruleSet.exclusions(
        rulesByWords[sort].map((rules) => ({
          rules,
          targets,
          inWholeChain: true,
          isLogged: true,
          ...(knows.has(sort) ? {} : { hasValue }),
        })),
      )
      prepared.set(sort, without)
      return without
    },
  }
}

/** How many values are remembered: every rule asks for each of them. */
const rememberedMax = 64

function remembered(test: (value: string) => boolean): (value: string) => boolean {
  const verdicts = new Map<string, boolean>()
  return (value) => {
    const before = verdicts.get(value)
    if (before !== undefined) return before
    const result = test(value)
    if (verdicts.size >= rememberedMax) verdicts.clear()
    verdicts.set(value, result)
    return result
  }
}

function sortOf(rule: number): MistakenFor | undefined {
  return sorts.find((sort) => rulesByWords[sort].some((range) => isWithin(rule, range)))
}

/** Whether the number of a rule is one of a range. */
export function isWithin(rule: number, { first, last }: RuleRange): boolean {
  return rule >= first && rule <= last
}
