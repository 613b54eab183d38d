import { pathOf, withoutQuery } from '../exchange/address.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { overridingMethods } from '../exchange/overriding-methods.ts'
import type { Paths } from '../paths/path-readings.ts'
import { fittingRules, type PlaceTest } from './place-test.ts'
import { parametersOf } from './query-parameters.ts'

/** The parameter by which Rails, Laravel and Symfony are asked to take a request for one with another method. */
const overridingParameter = '_method'

/**
 * A request as conditions see it by its own method and by each that it asks an application to take it for: nearly always the request alone. The
 * parameters of its body are not looked at.
 */
export function byMeantMethods(exchange: Exchange): readonly [Exchange, ...Exchange[]] {
  const { headers, target } = exchange
  const query = pathOf(target).slice(withoutQuery(pathOf(target)).length + 1)
  // The name may be percent-encoded.
  const inQuery = /_method|%/.test(query)
    ? parametersOf(query).filter(({ name }) => name === overridingParameter)
    : []
  const others = [...overridingMethods(headers), ...inQuery.map(({ value }) => value)]
  return [exchange, ...others.map((method) => withMethod(exchange, method.toUpperCase()))]
}

/**
 * The rules that a request falls under by any of those methods. For rules of which all have to be met.
 *
 * @param paths that servers may take the request's address for
 */
export function rulesByMeantMethods<Rule extends { readonly fits: PlaceTest }>(
  rules: readonly Rule[],
  exchange: Exchange,
  paths: Paths,
): readonly Rule[] {
  const [own, ...others] = byMeantMethods(exchange)
  const fitting = fittingRules(rules, own, paths)
  if (others.length === 0) return fitting
  return [...new Set([...fitting, ...others.flatMap((one) => fittingRules(rules, one, paths))])]
}

function withMethod(exchange: Exchange, method: string): Exchange {
  const request = Object.create(exchange.request, { method: { value: method } })
  return Object.create(exchange, { request: { value: request } })
}
