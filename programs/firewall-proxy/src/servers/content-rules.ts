import type { SnapshotContentRule } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../conditions/place-test.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { normalPaths } from '../paths/normal-path.ts'

/** A content rule and what was prepared for it. */
interface Ready<Prepared> {
  readonly fits: PlaceTest
  readonly prepared: Prepared
}

/**
 * Finds what was prepared for the content rule that takes a request: the first one that fits. Paths are compared as a server may
 * understand them, so that no spelling gets around a rule.
 *
 * @param prepare called once for each rule
 * @returns undefined for requests that no rule takes
 */
export function contentRuleFinder<Prepared>(
  rules: readonly SnapshotContentRule[],
  prepare: (rule: SnapshotContentRule) => Prepared,
): (exchange: Exchange) => Prepared | undefined {
  if (rules.length === 0) return () => undefined
  const ready = made(rules, prepare)
  return (exchange) => {
    const paths = normalPaths(exchange.target)
    return ready.find(({ fits }) => fits(exchange, paths))?.prepared
  }
}

/**
 * As {@link contentRuleFinder}, but finds what was prepared for all rules that take a request: one for each path that a server may take its
 * address for.
 */
export function contentRulesFinder<Prepared>(
  rules: readonly SnapshotContentRule[],
  prepare: (rule: SnapshotContentRule) => Prepared,
): (exchange: Exchange) => readonly Prepared[] {
  const ready = made(rules, prepare)
  return (exchange) =>
    fittingRules(ready, exchange, normalPaths(exchange.target)).map(({ prepared }) => prepared)
}

function made<Prepared>(
  rules: readonly SnapshotContentRule[],
  prepare: (rule: SnapshotContentRule) => Prepared,
): readonly Ready<Prepared>[] {
  return rules.map((rule) => ({ fits: placeTest(rule, true), prepared: prepare(rule) }))
}
