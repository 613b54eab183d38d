import type { SnapshotPlace } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import { bytesOfPath } from '../paths/normal-path.ts'
import { type Paths, withoutParameters } from '../paths/path-readings.ts'
import { hostTest, wildcard } from '../patterns/wildcard.ts'
import { conditionOf } from './extended-match.ts'

/** Whether a rule for a place is about a request. @param paths the request's, one of which has to fit */
export type PlaceTest = (exchange: Exchange, paths: Paths) => boolean

/**
 * A place made ready to be compared with requests; its URL may be percent-encoded. A rule whose extended match is not understood is
 * about none.
 *
 * @param ignoresCase whether paths fit in any case
 */
export function placeTest(place: SnapshotPlace, ignoresCase: boolean): PlaceTest {
  const condition = conditionOf(place.extendedMatch)
  if (condition === undefined) return () => false
  const hostFits = hostTest(place.host)
  const urlFits = wildcard(bytesOfPath(place.url), ignoresCase)
  return (exchange, paths) => paths.some((path) => urlFits(path)) && hostFits(exchange) && condition(exchange)
}

/**
 * The rules that a request falls under: for each path that a server may take it for the first one that fits. Nearly always one; where there
 * are several, in the order of the rules, the strictest has to count, so that no spelling brings a request under another rule.
 */
export function fittingRules<Rule extends { readonly fits: PlaceTest }>(
  rules: readonly Rule[],
  exchange: Exchange,
  paths: Paths,
): readonly Rule[] {
  const matches = paths.flatMap((path) => fittingRule(rules, exchange, path) ?? [])
  return matches.length > 1 ? rules.filter((rule) => matches.includes(rule)) : matches
}

/** The first rule that fits one of those paths; parameters of its segments, as in `/item;id=1`, need not be in the rule. */
export function fittingRule<Rule extends { readonly fits: PlaceTest }>(
  rules: readonly Rule[],
  exchange: Exchange,
  path: string,
): Rule | undefined {
  const paths: Paths = path.includes(';') ? [path, withoutParameters(path)] : [path]
  return rules.find(({ fits }) => fits(exchange, paths))
}
