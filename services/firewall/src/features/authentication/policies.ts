import type { SnapshotAccessRule, SnapshotAuthorizationPolicy } from '@palisade/proxy-protocol'
import {
  byName,
  ifGiven,
  isNotOff,
  isOn,
  items,
  numberOr,
  secondsOfMinutes,
  text,
  textIfGiven,
  texts,
} from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { accessRule } from './access-rule.ts'
import { authorizationPolicy } from './authorization-policy.ts'

/** Which requests need a login, and whose is enough; undefined where the policy is switched off. */
export const authorizationPolicyReader = whenOn(
  fieldReader(authorizationPolicy, {
    isOn: ['status', isNotOff],
    ...placeMembers,
    sequence: ['extended-match-sequence', numberOr(1)],
    /** Whether everybody may pass who has logged in. */
    allowsEverybody: ['allow-any-authenticated-user', isOn],
    users: ['allowed-users', texts],
    groups: ['allowed-groups', texts],
    /** How people log in: with a form, or with what their browser asks them for (RFC 7617). */
    loginMethod: [
      'login-method',
      byName({ 'HTTP Basic Authentication': 'basic', 'HTTP ActiveSync': 'basic' }, 'form'),
    ],
    /** Where people are sent who have not logged in; a page of the service where absent. */
    loginUrl: ['login-url', textIfGiven],
    /** Where people are sent who may not make the request; a page of the service where absent. */
    deniedUrl: ['access-denied-url', textIfGiven],
    /** Whether the login outlives the browser, and for how long. */
    isPersistent: ['use-persistent-cookie', isOn],
    persistentSeconds: ['cookie-timeout', ifGiven(secondsOfMinutes)],
    /** Whether servers are told the name and the password of the user. */
    sendsPassword: ['send-basic-auth', isOn],
    /** What an OpenID provider is asked for. */
    scope: ['openidc-scope', textIfGiven],
  }),
)

/** The rules whose people a policy lets through. */
export const accessRulesOfPolicy = referenceReader(authorizationPolicy, 'access-rules')

/** What a provider has to say of people: two lists that go with each other. */
export const accessRuleReader = fieldReader(accessRule, {
  names: ['attribute-names', items],
  values: ['attribute-values', items],
})

/** In the order in which they are tried. */
export function compileAuthorizationPolicies(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotAuthorizationPolicy[] {
  const policies = childrenOf(object, authorizationPolicy.name).flatMap((policy) => {
    const read = authorizationPolicyReader.of(policy)
    const accessRules = accessRulesOfPolicy.of(policy, snapshot).map(compileAccessRule)
    return read === undefined ? [] : { name: policy.name, ...read, accessRules }
  })
  return inOrder(policies)
}

/** A name without a value is asked for as an empty one, which nobody has. */
function compileAccessRule(object: ConfigurationObject): SnapshotAccessRule {
  const { names, values } = accessRuleReader.of(object)
  return { attributes: names.map((name, index) => ({ name, value: text(values[index]) })) }
}

/** What an authorization policy says itself. */
export type SnapshotAuthorizationSettings = Settings<typeof authorizationPolicyReader>
