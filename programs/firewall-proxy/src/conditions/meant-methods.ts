import { pathOf, withoutQuery } from '../exchange/address.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { overridingMethods } from '../exchange/overriding-methods.ts'
import type { Paths } from '../paths/path-readings.ts'
import { fittingRules, type PlaceTest } from './place-test.ts'
import { parametersOf } from './query-parameters.ts'

/**
 * The parameter by which Rails, Laravel and Symfony are asked to take a request for one with another method. PHP leaves out blanks before a name,
 * makes underscores of some characters, and ends it with a zero byte.
 */
const overridingParameter = /^ *[_.[]method(?:\0.*)?$/s

/** The methods that a request asks an application to take it for by parameters. */
export function methodsInParameters(
  parameters: readonly { readonly name?: string | undefined; readonly value: string }[],
): string[] {
  return parameters.filter(({ name = '' }) => overridingParameter.test(name)).map(({ value }) => value)
}

/**
 * A request as conditions see it by its own method and by each that it asks an application to take it for: nearly always the request alone.
 *
 * @param inBody the methods that it asks for by its body, which is not looked at here
 */
export function byMeantMethods(
  exchange: Exchange,
  inBody: readonly string[] = [],
): readonly [Exchange, ...Exchange[]] {
  const { headers, target } = exchange
  const query = pathOf(target).slice(withoutQuery(pathOf(target)).length + 1)
  // The name may be percent-encoded.
  const inQuery = /[_.[]method|%/.test(query) ? methodsInParameters(parametersOf(query)) : []
  const others = [...overridingMethods(headers), ...inQuery, ...inBody]
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
