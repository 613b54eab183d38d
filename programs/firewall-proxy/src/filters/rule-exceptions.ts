import type { SnapshotRuleException, SnapshotService } from '@palisade/proxy-protocol'
import type { RuleExclusion, RuleExclusions, RuleSet } from '@palisade/seclang'
import { type PlaceTest, placeTest } from '../conditions/place-test.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { bytesOfPath, plainPath } from '../paths/normal-path.ts'
import { allExclusions } from '../policy/all-exclusions.ts'
import { namePattern } from '../policy/rule-exclusions.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

interface Exception {
  readonly fits: PlaceTest
  readonly leavesOut: RuleExclusions
}

/** Rules that are left out for URLs, or for parts of requests for them. All exceptions that fit a request count. */
export const ruleExceptions: FilterDescriptor = {
  name: 'rule-exceptions',
  stage: 'plain-request',
  isShared: false,
  make: ruleExceptionsFilter,
}

function ruleExceptionsFilter(
  { checks }: SnapshotService,
  { rules }: FilterDependencies,
): Filter | undefined {
  const exceptions = checks?.ruleExceptions ?? []
  if (exceptions.length === 0 || rules === undefined) return undefined
  const fittingOf = finder(exceptions, rules, checks?.ignoresCase ?? true)
  return {
    onRequest: (exchange) => {
      for (const { leavesOut } of fittingOf(exchange)) {
        exchange.exceptions = allExclusions(exchange.exceptions, leavesOut)
      }
      return undefined
    },
  }
}

/** Looks only at exceptions for the path of a request, and at those with a wildcard. */
function finder(
  exceptions: readonly SnapshotRuleException[],
  rules: RuleSet,
  ignoresCase: boolean,
): (exchange: Exchange) => readonly Exception[] {
  const keyOf = (path: string) => (ignoresCase ? path.toLowerCase() : path)
  const ready = exceptions.map((one) => ({
    key: one.url.includes('*') ? undefined : keyOf(bytesOfPath(one.url)),
    exception: { fits: placeTest(one, ignoresCase), leavesOut: rules.exclusions([exclusionOf(one)]) },
  }))
  const byPath = Map.groupBy(ready, ({ key }) => key)
  const patterns = byPath.get(undefined) ?? []
  return (exchange) => {
    const path = plainPath(exchange.target)
    if (path === undefined) return []
    const exact = byPath.get(keyOf(path)) ?? []
    return [...exact, ...patterns]
      .map(({ exception }) => exception)
      .filter(({ fits }) => fits(exchange, [path]))
  }
}

function exclusionOf({ rule, target }: SnapshotRuleException): RuleExclusion {
  const rules = { first: rule, last: rule }
  return target === undefined ? { rules } : { rules, targets: [targetPattern(target)], inWholeChain: true }
}

/** The part of a request as rules write it; a name in it may have a wildcard. */
function targetPattern(target: string): string {
  const colon = target.indexOf(':')
  if (colon < 0) return target
  return `${target.slice(0, colon)}:${namePattern(target.slice(colon + 1))}`
}
