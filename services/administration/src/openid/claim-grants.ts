import type { Grant } from '../access/grants.ts'
import type { OpenIdProviderConfiguration } from '../sign-in-configuration.ts'

/** What a provider says of somebody: the members of his ID token and of its answer at the UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * What somebody's claims grant him.
 *
 * @param rules of the provider: a claim that is the value, or a list that has it, gives the grants
 * @returns each grant once
 */
export function grantsOfClaims(claims: Claims, rules: OpenIdProviderConfiguration['grants']): Grant[] {
  const granted = rules
    .filter(({ claim, value }) => {
      const claimed = claimAt(claims, claim)
      return claimed === value || (Array.isArray(claimed) && claimed.includes(value))
    })
    .flatMap(({ grants }) => grants)
  return [...new Map(granted.map((grant) => [JSON.stringify(grant), grant])).values()]
}

/** A claim that is text, such as a name; undefined where it is empty or anything else. */
export function textClaim(claims: Claims, claim: string): string | undefined {
  const text = claimAt(claims, claim)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Names of claims may have dots, such as addresses; where there is no such claim, dots lead into objects. */
function claimAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  let place: unknown = claims
  for (const member of claim.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, member)) return undefined
    place = Reflect.get(place, member)
  }
  return place
}
