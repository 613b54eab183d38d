import type { ServiceWarning } from '@palisade/platform'
import type { SnapshotAuthorizationPolicy } from '@palisade/proxy-protocol'
import {
  exemptedClients,
  exemptedGroups,
  type Realm,
  realmOf,
  signInSwitch,
  usersWithoutDigest,
} from '../features/authentication/compile.ts'
import { compileLdapDirectories } from '../features/authentication/ldap-directory.ts'
import { providersOf } from '../features/authentication/openid-provider.ts'
import { customPagesWithoutUrl } from '../features/authentication/pages.ts'
import { compileAuthorizationPolicies } from '../features/authentication/policies.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** How many names a sentence has. */
const namedMax = 5

/** What a service asks for about logins, and what has no effect all the same: sentences. */
export function ineffectiveLogins(
  service: ConfigurationObject,
  snapshot: Snapshot,
  localUsers: readonly ConfigurationObject[],
): string[] {
  const policies = compileAuthorizationPolicies(service, snapshot)
  if (!signInSwitch.of(service).isOn) {
    return policies.length === 0
      ? []
      : ['The authorization-policies protect nothing: the status of authentication is Off.']
  }
  if (policies.length === 0) return ['Nobody has to log in: no authorization-policies say for what.']
  const realm = realmOf(service, snapshot)
  return [
    ...ofRealm(realm, localUsers),
    ...policies.flatMap((policy) => ofPolicy(policy, realm, localUsers)),
    ...ofExemptedClients(service, snapshot),
    ...customPagesWithoutUrl(service).map(
      (member) => `The page of authentication ${member} is shown: there is no URL to send people to.`,
    ),
  ]
}

/** Why requests for protected addresses of a service are refused: a sentence; undefined where people can log in, or need not. */
export function whyLoginsAreRefused(service: ConfigurationObject, snapshot: Snapshot): string | undefined {
  if (service.content.values.status !== 'On' || !signInSwitch.of(service).isOn) return undefined
  const realm = realmOf(service, snapshot)
  if (realm.by !== 'nobody' || compileAuthorizationPolicies(service, snapshot).length === 0) return undefined
  return `Requests that authorization-policies of the service ${service.name} are for are refused with 503. ${realm.reason}`
}

/** What the operator is told wherever he asks: no names, since anybody may ask whether the server is ready. */
export function loginWarnings(
  services: readonly ConfigurationObject[],
  snapshot: Snapshot,
): ServiceWarning[] {
  const affected = services.filter((service) => whyLoginsAreRefused(service, snapshot) !== undefined)
  if (affected.length === 0) return []
  const message = `${affected.length} firewall services refuse requests because nobody can log in: their status says why.`
  return [{ condition: 'logins-refused', message }]
}

function ofRealm(realm: Realm, localUsers: readonly ConfigurationObject[]): string[] {
  if (realm.by === 'nobody') {
    return [`Requests that authorization-policies are for are refused with 503. ${realm.reason}`]
  }
  if (realm.by === 'openid-connect') {
    const [first, ...others] = providersOf(realm.object)
    return others.length === 0
      ? []
      : [`Of the identity providers of ${realm.object.name} only ${first?.name} is asked.`]
  }
  if (realm.by === 'directories') {
    return compileLdapDirectories(realm.object)
      .filter(({ encryption }) => encryption === 'none')
      .map(
        ({ address }) =>
          `Passwords travel readable to the directory ${address}: its secure-connection-type is None.`,
      )
  }
  if (localUsers.length === 0) return ['Nobody can log in: there are no local-users.']
  const names = usersWithoutDigest(localUsers)
  return names.length === 0
    ? []
    : [
        `Some local-users cannot log in until they are deleted and created anew, as their passwords are of before proxies took any: ${names.slice(0, namedMax).join(', ')}.`,
      ]
}

function ofPolicy(
  policy: SnapshotAuthorizationPolicy,
  realm: Realm,
  localUsers: readonly ConfigurationObject[],
): string[] {
  const { name, allowsEverybody, users, groups, accessRules, loginMethod, sendsPassword } = policy
  const policyName = `The authorization policy ${name}`
  const isOpenId = realm.by === 'openid-connect'
  const asksForAttributes = accessRules.length > 0 && realm.by !== 'openid-connect'
  const looksUpNoGroups =
    realm.by === 'directories' &&
    groups.length > 0 &&
    compileLdapDirectories(realm.object).some(({ looksUpGroups }) => !looksUpGroups)
  const unknown =
    realm.by === 'local-users' ? users.filter((user) => !localUsers.some((one) => one.name === user)) : []
  const sentences: readonly (readonly [isTrue: boolean, sentence: string])[] = [
    [
      !allowsEverybody && users.length + groups.length + accessRules.length === 0,
      'lets nobody through: it allows no users, groups or access-rules.',
    ],
    [asksForAttributes, 'lets nobody through by access-rules: only OpenID providers tell attributes.'],
    [looksUpNoGroups, 'lets nobody through by groups where query-for-group of an ldap-server is No.'],
    [unknown.length > 0, `allows users who are no local-users: ${unknown.slice(0, namedMax).join(', ')}.`],
    [isOpenId && loginMethod === 'basic', 'sends people to the OpenID provider, whatever its login-method.'],
    [isOpenId && sendsPassword, 'sends no passwords to servers: OpenID providers tell none.'],
  ]
  return sentences.filter(([isTrue]) => isTrue).map(([, sentence]) => `${policyName} ${sentence}`)
}

function ofExemptedClients(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const { action, groups } = exemptedClients.of(service)
  const missing = exemptedGroups(service, snapshot).filter(({ group }) => group === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).slice(0, namedMax)
    return [`No trusted-host-groups have these names of authentication groups: ${names.join(', ')}.`]
  }
  return groups.length > 0 && action !== 'Allow'
    ? ['The groups of authentication have to log in as everybody else: its action is not Allow.']
    : []
}
