import type { SnapshotSecondOpinion, SnapshotService } from '@palisade/proxy-protocol'
import type { RuleSet } from '@palisade/seclang'
import { placeTest } from '../conditions/place-test.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { plainPath } from '../paths/normal-path.ts'
import { namePattern } from '../policy/rule-exclusions.ts'
import { SecondLook } from './second-look.ts'

/** How many sets of parameters are kept ready; each URL of an application may have a set of its own. */
const looksMax = 256

/** Which parameters of a refused request are looked at a second time. */
export class SecondOpinions {
  readonly #opinions
  readonly #rules: RuleSet
  readonly #looks = new Map<string, SecondLook>()

  constructor(opinions: readonly SnapshotSecondOpinion[], rules: RuleSet, ignoresCase: boolean) {
    this.#opinions = opinions.map((opinion) => ({ opinion, fits: placeTest(opinion, ignoresCase) }))
    this.#rules = rules
  }

  /** @returns undefined for a request with no such parameters, or one that a server could take for another one */
  of(exchange: Exchange): SecondLook | undefined {
    const path = plainPath(exchange.target)
    if (path === undefined) return undefined
    const fitting = this.#opinions.filter(({ fits }) => fits(exchange, [path])).map(({ opinion }) => opinion)
    return fitting.length === 0 ? undefined : this.#lookFor(fitting)
  }

  #lookFor(opinions: readonly SnapshotSecondOpinion[]): SecondLook {
    const key = JSON.stringify(opinions.map(({ name }) => name))
    const opinion = this.#looks.get(key)
    if (opinion !== undefined) return opinion
    const parameters = opinions.map(({ parameter, exceptedRules }) => ({
      name: namePattern(parameter),
      exceptedRules,
    }))
    const look = new SecondLook(this.#rules, parameters)
    if (this.#looks.size >= looksMax) this.#looks.clear()
    this.#looks.set(key, look)
    return look
  }
}

/** Those of a service; undefined where it asks for none. @param rules those that block */
export function secondOpinionsOf(
  { checks }: SnapshotService,
  rules: RuleSet | undefined,
): SecondOpinions | undefined {
  const opinions = checks?.secondOpinions ?? []
  if (opinions.length === 0 || rules === undefined) return undefined
  return new SecondOpinions(opinions, rules, checks?.ignoresCase ?? true)
}
