import type { SnapshotContentSecurityRule, SnapshotService } from '@palisade/proxy-protocol'
import { fittingRules, placeTest } from '../conditions/place-test.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { normalPaths } from '../paths/normal-path.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/**
 * Tells browsers from where they may load the parts of a page (Content Security Policy, Level 3), beside what the application says of it: browsers
 * obey both. The rule of the most specific address counts; where a server could take the address for others, too, their rules count as well.
 */
export const contentSecurity: FilterDescriptor = {
  name: 'content-security',
  stage: 'plain-request',
  isShared: true,
  make: contentSecurityFilter,
}

function contentSecurityFilter({ rewriting, checks }: SnapshotService): Filter | undefined {
  const rules = rewriting?.contentSecurity?.map((rule) => ({
    ...rule,
    fits: placeTest(rule, checks?.ignoresCase ?? true),
  }))
  if (rules === undefined) return undefined
  /** Chosen by the address that the client sent: rewriting may give the server another one. */
  const rulesByExchange = new WeakMap<Exchange, readonly SnapshotContentSecurityRule[]>()
  return {
    onRequest: (exchange) => {
      rulesByExchange.set(exchange, fittingRules(rules, exchange, normalPaths(exchange.target)))
      return undefined
    },
    onResponse: (exchange, head) => {
      const fitting = rulesByExchange.get(exchange) ?? []
      if (fitting.length === 0) return undefined
      head.headers = [
        ...head.headers,
        ...headersOf('Content-Security-Policy', fitting, 'blocking'),
        ...headersOf('Content-Security-Policy-Report-Only', fitting, 'reporting'),
      ]
      return undefined
    },
  }
}

function headersOf(
  name: string,
  rules: readonly SnapshotContentSecurityRule[],
  which: 'blocking' | 'reporting',
): string[] {
  return rules.flatMap((rule) => rule[which].flatMap((value) => [name, value]))
}
