import type { SnapshotAuthentication } from '@palisade/proxy-protocol'
import type { Session } from './session.ts'

/** What a provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** How many characters of groups, and of attributes, a login takes with it: a browser keeps 4,096 bytes of a cookie. */
const groupCharsMax = 1_000
const attributeCharsMax = 800

/** A longer name is that of nobody here. */
const nameLengthMax = 256

/** Names under which a claim is the user's name, or his groups, rather than one more attribute. */
const userNames = new Set(['user', 'username', 'login'])
const groupNames = new Set(['group', 'groups'])

/**
 * What of the claims becomes part of a login. The user is called by the claim that the service calls `user`, or else by
 * `preferred_username`, a verified `email`, or `sub`; the groups are those of the claim that it calls `groups`, or else of `groups`.
 */
export function sessionFactsOf(
  claims: Claims,
  settings: SnapshotAuthentication,
): Pick<Session, 'user' | 'groups' | 'attributes'> {
  const { localName = '', claim } = settings
  const claimedValues = claim === undefined ? [] : valuesOf(claims[claim])
  const user = userNames.has(localName.toLowerCase()) ? claimedValues[0] : userNameIn(claims)
  const groups = groupNames.has(localName.toLowerCase()) ? claimedValues : valuesOf(claims.groups)
  return {
    user: user !== undefined && user.length <= nameLengthMax ? user : claims.sub.slice(0, nameLengthMax),
    groups: withinRoom(groupsInOrder(groups, settings), groupCharsMax),
    attributes: attributesOf(claims, settings, claimedValues),
  }
}

function userNameIn({
  preferred_username: preferred,
  email,
  email_verified: isVerified,
  sub,
}: Claims): string {
  if (typeof preferred === 'string' && preferred !== '') return preferred
  return typeof email === 'string' && email !== '' && isVerified === true ? email : sub
}

/** Those first that some policy asks for. */
function groupsInOrder(groups: readonly string[], { policies }: SnapshotAuthentication): string[] {
  const groupsOfPolicies = new Set(policies.flatMap((policy) => policy.groups))
  const isWanted = (group: string) => groupsOfPolicies.has(group)
  return [...groups.filter(isWanted), ...groups.filter((group) => !isWanted(group))]
}

/** What access rules ask for: by the name that the service has for a claim, or by the claim's own. */
function attributesOf(
  claims: Claims,
  { policies, localName }: SnapshotAuthentication,
  named: readonly string[],
): Record<string, readonly string[]> {
  const requiredAttributes = policies.flatMap(({ accessRules }) =>
    accessRules.flatMap(({ attributes }) => attributes),
  )
  const attributes: Record<string, readonly string[]> = Object.create(null)
  let room = attributeCharsMax
  for (const name of new Set(requiredAttributes.map((attribute) => attribute.name))) {
    const requiredValues = new Set(
      requiredAttributes.filter((attribute) => attribute.name === name).map(({ value }) => value),
    )
    const values = name === localName ? named : Object.hasOwn(claims, name) ? valuesOf(claims[name]) : []
    const matchingValues = withinRoom(
      values.filter((value) => requiredValues.has(value)),
      room - name.length,
    )
    if (matchingValues.length === 0) continue
    attributes[name] = matchingValues
    room -= name.length + matchingValues.join('').length
  }
  return attributes
}

function withinRoom(texts: readonly string[], chars: number): string[] {
  let room = chars
  return texts.filter((text) => {
    room -= text.length + 3
    return room >= 0
  })
}

/** A claim as texts: one, or a list. */
function valuesOf(claim: unknown): string[] {
  return [claim].flat().flatMap((value) => {
    if (typeof value === 'string') return value
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : []
  })
}
