import type { SnapshotAuthentication, SnapshotAuthorizationPolicy } from '@palisade/proxy-protocol'
import { rulesByMeantMethods } from '../../conditions/meant-methods.ts'
import { type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { hostOf, pathOf, withoutPort, withoutQuery } from '../../exchange/address.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { normalPaths, plainPath } from '../../paths/normal-path.ts'
import type { Session } from './session.ts'

/** A policy, ready to be tried. */
interface PreparedPolicy {
  readonly policy: SnapshotAuthorizationPolicy
  readonly fits: PlaceTest
}

/** Which requests need a login, and whose is enough. */
export class Authorization {
  readonly #policies: readonly PreparedPolicy[]

  /** @param ignoresCase whether paths fit in any case */
  constructor({ policies }: SnapshotAuthentication, ignoresCase: boolean) {
    this.#policies = policies.map((policy) => ({ policy, fits: placeTest(policy, ignoresCase) }))
  }

  /**
   * The policies that a request falls under: mostly one or none, several where servers could take its address for different ones, or an application
   * the request for one with another method.
   */
  policiesFor(exchange: Exchange): readonly SnapshotAuthorizationPolicy[] {
    const fitting = rulesByMeantMethods(this.#policies, exchange, normalPaths(exchange.target))
    return fitting.map(({ policy }) => policy)
  }
}

/** Whether somebody who has logged in may make the requests that a policy is for. @param groups those of the user */
export function mayPass(
  policy: SnapshotAuthorizationPolicy,
  { user, attributes = {} }: Pick<Session, 'user' | 'attributes'>,
  groups: readonly string[],
): boolean {
  if (policy.allowsEverybody || policy.users.includes(user)) return true
  if (policy.groups.some((group) => groups.includes(group))) return true
  return policy.accessRules.some(
    (rule) =>
      rule.attributes.length > 0 &&
      rule.attributes.every(
        ({ name, value }) => Object.hasOwn(attributes, name) && attributes[name]?.includes(value),
      ),
  )
}

/** Whether a request is for the very page on which people log in, or learn that they may not pass: it has to be open. */
export function isOpenPage(policies: readonly SnapshotAuthorizationPolicy[], exchange: Exchange): boolean {
  const { method } = exchange.request
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = plainPath(exchange.target)
  return (
    path !== undefined &&
    policies.every(
      ({ loginUrl, deniedUrl }) => isAt(loginUrl, path, exchange) || isAt(deniedUrl, path, exchange),
    )
  )
}

function isAt(url: string | undefined, path: string, exchange: Exchange): boolean {
  if (url === undefined || withoutQuery(pathOf(url)) !== path) return false
  if (url.startsWith('/')) return true
  return URL.canParse(url) && new URL(url).hostname === withoutPort(hostOf(exchange)).toLowerCase()
}
