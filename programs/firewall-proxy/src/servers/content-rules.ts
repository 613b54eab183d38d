import type { SnapshotContentRule } from '@palisade/proxy-protocol'
import { normalPaths } from '../policy/normal-path.ts'
import { placeTest } from '../policy/place-test.ts'
import type { Exchange } from '../traffic/exchange.ts'

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
  const ready = rules.map((rule) => ({
    fits: placeTest(rule, true),
    prepared: prepare(rule),
  }))
  return (exchange) => {
    const paths = normalPaths(exchange.target)
    return ready.find(({ fits }) => fits(exchange, paths))?.prepared
  }
}
