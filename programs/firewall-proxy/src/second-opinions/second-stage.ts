import {
  type RuleExclusions,
  type RuleMatch,
  type RuleSet,
  readingsOf,
  withoutPercents,
} from '@palisade/seclang'
import { wildcard } from '../patterns/wildcard.ts'
import type { Policy } from '../policy/policy.ts'
import { hasHarmlessParts } from './analysis/addresses.ts'
import { whyHarmlessCommands } from './analysis/commands.ts'
import { isContentLines, whyNoHeaders } from './analysis/content-lines.ts'
import { whyHarmlessMarkup } from './analysis/markup.ts'
import { whyHarmlessPaths } from './analysis/paths.ts'
import { whyHarmlessPhp } from './analysis/php.ts'
import { hasNoSql, whyHarmlessSql } from './analysis/sql.ts'
import { lengthMax, withLetters } from './analysis/text.ts'
import { type HarmlessParameter, isWithin, type RuleRange, type SecondOpinion } from './second-look.ts'

/** One sort of attack: the rules that look for it, and what understands it. */
interface Sort {
  readonly rules: readonly RuleRange[]
  /** What is judged by its value; where it is absent, all that can be. */
  readonly targets?: readonly string[]
  /** @returns why a byte string is harmless; undefined where it may do harm, or that is not certain */
  readonly whyHarmless: (value: string) => string | undefined
}

/** A sort, made ready for a rule set. */
interface PreparedSort extends Pick<Sort, 'rules'> {
  readonly targets: readonly string[] | undefined
  readonly reasons: Reasons
  readonly exclusions: RuleExclusions
}

/** A body that no reader takes apart, such as a calendar. */
const bodies = ['ARGS:REQUEST_BODY', 'ARGS_POST:REQUEST_BODY']

/** Rules that are not in a range judge as before: those about functions of the environment (932170), names of uploads (932180), cmdlets (932120). */
const sorts: readonly Sort[] = [
  { rules: [{ first: 942_100, last: 942_999 }], whyHarmless: whyHarmlessSql },
  {
    rules: [
      { first: 932_100, last: 932_119 },
      { first: 932_130, last: 932_169 },
      { first: 932_190, last: 932_999 },
    ],
    whyHarmless: whyHarmlessCommands,
  },
  { rules: [{ first: 933_100, last: 933_999 }], whyHarmless: whyHarmlessPhp },
  { rules: [{ first: 941_100, last: 941_999 }], whyHarmless: whyHarmlessMarkup },
  { rules: [{ first: 930_100, last: 930_199 }], whyHarmless: whyHarmlessPaths },
  { rules: [{ first: 921_120, last: 921_120 }], targets: bodies, whyHarmless: whyNoHeaders },
]

/** The path as a whole; what it ends with has a key (`REQUEST_FILENAME:end`). */
const wholePath = 'REQUEST_FILENAME'

/** What is judged by its value. Whole URLs, names and uploads are not. */
const variables = [
  ...['ARGS', 'ARGS_GET', 'ARGS_POST', 'REQUEST_COOKIES', 'REQUEST_HEADERS', 'XML'],
  wholePath,
]

/** The path of `XML` is no part of its name. */
const target = new RegExp(`^(?:MATCHED_VARS?:)?(XML|(?:${variables.join('|')}):.*)$`, 's')

const parameterOf = /^ARGS(?:_GET|_POST)?:(.*)$/s

/**
 * Decides about requests that rules refused whether what they found can do harm: each value in which they found something is read in all
 * of its codings as what it would have to be. Rules of a sort leave out the values that are harmless by the analysis of that sort, and
 * nothing else; whether that is enough for a request to pass is for the rules to say, in a new transaction. What that takes is made when rules
 * refuse the first request: of thousands of services most never have one.
 */
export class SecondStage {
  readonly #ruleSet: RuleSet
  #sorts: readonly PreparedSort[] | undefined
  readonly #isExcluded: (targetName: string) => boolean

  /** @param excludedParameters for which the rules alone decide; `*` stands for any characters */
  constructor(ruleSet: RuleSet, excludedParameters: readonly string[] = []) {
    this.#ruleSet = ruleSet
    const excluded = excludedParameters.map((name) => wildcard(Buffer.from(name, 'utf8').toString('latin1')))
    this.#isExcluded = (targetName) => {
      const parameter = parameterOf.exec(targetName)?.[1]
      return parameter !== undefined && excluded.some((fits) => fits(parameter))
    }
  }

  /** @returns undefined when nothing can be excused of what the rules found */
  at({ matches }: { readonly matches: readonly RuleMatch[] }): SecondOpinion | undefined {
    const excused: HarmlessParameter[] = []
    const exclusions: RuleExclusions[] = []
    this.#sorts ??= sorts.map((sort) => this.#prepared(sort))
    for (const sort of this.#sorts) {
      sort.reasons.forget()
      const ofSort = matches.filter(({ ruleId }) => sort.rules.some((range) => isWithin(ruleId, range)))
      const own = Map.groupBy(ofSort, ({ targetName }) => target.exec(targetName)?.[1] ?? '')
      const before = excused.length
      for (const [name, found] of own) {
        if (name === '' || this.#isExcluded(name)) continue
        if (sort.targets?.includes(name) === false) continue
        const because = found.map(({ sourceValue }) => sort.reasons.of(sourceValue))
        const [reason] = because
        if (reason === undefined || because.includes(undefined)) continue
        excused.push({
          target: name,
          rules: [...new Set(found.map(({ ruleId }) => ruleId))],
          because: reason,
        })
      }
      if (excused.length > before) exclusions.push(sort.exclusions)
    }
    const [first, ...others] = exclusions
    return first && { exclusions: others.reduce((all, one) => all.and(one), first), excused }
  }

  #prepared({ rules, targets, whyHarmless }: Sort): PreparedSort {
    const reasons = new Reasons(whyHarmless)
    const exclusions = this.#ruleSet.exclusions(
      rules.map((range) => ({
        rules: range,
        targets: targets ?? variables,
        inWholeChain: true,
        isLogged: true,
        hasValue: (value, name) =>
          name !== wholePath && !this.#isExcluded(name) && reasons.of(value) !== undefined,
      })),
    )
    return { rules, targets, reasons, exclusions }
  }
}

/** That of a policy; undefined where it is switched off. @param rules those that block */
export function secondStageOf({ snapshot }: Policy, rules: RuleSet): SecondStage | undefined {
  return snapshot?.secondStage && new SecondStage(rules, snapshot.secondStage.excludedParameters)
}

/** Why values are harmless, remembered for one request: every rule asks for each of them. */
class Reasons {
  readonly #whyHarmless: Sort['whyHarmless']
  readonly #byValue = new Map<string, string | undefined>()

  constructor(whyHarmless: Sort['whyHarmless']) {
    this.#whyHarmless = whyHarmless
  }

  forget(): void {
    this.#byValue.clear()
  }

  of(value: string): string | undefined {
    if (value.length > lengthMax) return undefined
    if (!this.#byValue.has(value)) this.#byValue.set(value, this.#find(value))
    return this.#byValue.get(value)
  }

  /** What it is in another coding has to be harmless as well, and no statement and no command whatever the rule looked for. */
  #find(written: string): string | undefined {
    const value = withLetters(written)
    const reason = this.#whyHarmless(value)
    if (reason === undefined) return undefined
    const isHarmless = (one: string) =>
      this.#whyHarmless(one) !== undefined && hasNoSql(one) && whyHarmlessCommands(one) !== undefined
    if (!isHarmless(value)) return undefined
    const isHarmlessEverywhere = spellings(value).every(isHarmless) || hasHarmlessParts(value, isHarmless)
    return isHarmlessEverywhere ? reason : undefined
  }
}

/** What else rules and applications make of a value. JSON in it, and lines of contacts and calendars, are for the analysis. */
function spellings(value: string): readonly string[] {
  const decoded = withoutPercents(value)
  const isDocument = /^\s*[[{]/.test(value) || isContentLines(value)
  return [...(decoded === value ? [] : [decoded]), ...(isDocument ? [] : readingsOf(value))]
}
