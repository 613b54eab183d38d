import type {
  SnapshotAuthentication,
  SnapshotKey,
  SnapshotLocalUser,
  SnapshotRadiusServer,
} from '@palisade/proxy-protocol'
import {
  ifGiven,
  isOn,
  numberOr,
  oneOf,
  secondsOfMinutes,
  text,
  textIfGiven,
  textOr,
  texts,
} from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { kindNamedBy, optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { networksOf } from '../trusted-hosts/compile.ts'
import { ldapAuthenticationService } from './ldap-authentication-service.ts'
import { compileLdapDirectories } from './ldap-directory.ts'
import { localGroup } from './local-group.ts'
import { localUser } from './local-user.ts'
import { oidcAuthenticationService } from './oidc-authentication-service.ts'
import { compileOpenIdProvider } from './openid-provider.ts'
import { compileSignInPages } from './pages.ts'
import { compileAuthorizationPolicies } from './policies.ts'
import { compileRadiusServers } from './radius-servers.ts'

const section = 'authentication'

/** The realm of the users that are kept here. */
const internalRealm = 'internal'

/** With what every digest of a password begins that was made here (argon2id, in the PHC string format). */
const digestBegin = '$argon2id$'

/** Whether people log in before their requests reach servers; without it no authorization policy of the service is followed. */
export const signInSwitch = sectionReader(service, section, { isOn: ['status', isOn] })

/** How people log in, and for how long; undefined where they do not. */
export const signInReader = whenOn(
  sectionReader(service, section, {
    isOn: ['status', isOn],
    idleSeconds: ['idle-timeout', numberOfMinutesOr(15)],
    /** How long after a login people have to log in again in any case. */
    lifetimeSeconds: ['creation-timeout', ifGiven(secondsOfMinutes)],
    /** Whether a login is good for the address and the browser alone that it was made with. */
    bindsToClient: ['session-replay-protection-status', isOn],
    /** The domain whose hosts share logins; each host has its own where absent. */
    cookieDomain: ['cookie-domain', textIfGiven],
    cookiePath: ['cookie-path', textOr('/')],
    /** How often a client is told that it was active. */
    updateSeconds: ['sso-cookie-update-interval', numberOr(30)],
    limitsFailures: ['enable-bruteforce-prevention', isOn],
    /** How often a user, or an address, may fail in a window. */
    failuresMax: ['max-failed-attempts', numberOr(10)],
    failureWindowSeconds: ['count-window', numberOr(60)],
    /** Where forms are sent, and where people log out. */
    loginPath: ['login-processor-path', textOr('/nclogin.submit')],
    /** Where an OpenID provider sends people back to; the login path where absent. */
    redirectUrl: ['openidc-redirect-url', textIfGiven],
    /** What a claim of the provider is called here. */
    localName: ['openidc-local-id', textIfGiven],
    claim: ['openidc-attribute-name', textIfGiven],
  }),
)

/** A realm, or the word for the users that are kept here. */
export const realmName = sectionReader(service, section, {
  realm: ['authentication-service', text],
  /** Where it is anything else, nobody can log in. */
  secondRealm: ['dual-authentication', oneOf('No')],
})

/** The realm that answers for the users: one at most, none for those that are kept here. */
export const realmOfService = sectionReferenceReader(service, section, 'authentication-service')

/** Whether clients of these groups of trusted hosts need no login. */
export const exemptedClients = sectionReader(service, section, {
  action: ['action', text],
  groups: ['groups', texts],
})

/** A user who is kept here. */
export const localUserReader = fieldReader(localUser, {
  passwordHash: ['password', text],
  groups: ['user-groups', texts],
})

/** Groups are their names. */
export const localGroupReader = fieldReader(localGroup, { name: ['name', text] })

/** Who answers for the users of a service. */
export type Realm =
  | { readonly by: 'local-users' }
  | { readonly by: 'openid-connect' | 'directories'; readonly object: ConfigurationObject }
  | {
      readonly by: 'radius'
      readonly object: ConfigurationObject
      readonly servers: readonly SnapshotRadiusServer[]
    }
  /** `reason` is a sentence. */
  | { readonly by: 'nobody'; readonly reason: string }

/** Who answers for the users of a service, whether people have to log in or not. */
export function realmOf(object: ConfigurationObject, snapshot: Snapshot): Realm {
  const { realm, secondRealm } = realmName.of(object)
  if (isOn(secondRealm)) {
    return { by: 'nobody', reason: 'A second login (dual-authentication) is not asked for by any proxy yet.' }
  }
  if (realm === internalRealm) return { by: 'local-users' }
  const [named] = realmOfService.of(object, snapshot)
  if (named === undefined) return { by: 'nobody', reason: 'It names no authentication-service.' }
  if (named.kind.name === ldapAuthenticationService.name) {
    return compileLdapDirectories(named).length === 0
      ? { by: 'nobody', reason: `The realm ${named.name} has no ldap-servers.` }
      : { by: 'directories', object: named }
  }
  const radiusServers = compileRadiusServers(named)
  if (radiusServers !== undefined) {
    return radiusServers.length === 0
      ? { by: 'nobody', reason: `The realm ${named.name} has no servers.` }
      : { by: 'radius', servers: radiusServers, object: named }
  }
  if (named.kind.name !== oidcAuthenticationService.name) {
    return { by: 'nobody', reason: `No proxy asks ${named.kind.segments.join('/')} yet.` }
  }
  return compileOpenIdProvider(named) === undefined
    ? { by: 'nobody', reason: `The realm ${named.name} has no identity provider.` }
    : { by: 'openid-connect', object: named }
}

/** What of the rest of the configuration the login of a service goes by. */
export interface SignInSources {
  readonly snapshot: Snapshot
  readonly localUsers: readonly ConfigurationObject[]
  readonly keys: readonly SnapshotKey[]
}

/** Who has to log in, and how; undefined where nobody has to. */
export function compileAuthentication(
  object: ConfigurationObject,
  { snapshot, localUsers, keys }: SignInSources,
): SnapshotAuthentication | undefined {
  const read = signInReader.of(object)
  if (read === undefined) return undefined
  const policies = compileAuthorizationPolicies(object, snapshot)
  if (policies.length === 0) return undefined
  const realm = realmOf(object, snapshot)
  return {
    ...read,
    by: realm.by === 'radius' ? 'nobody' : realm.by,
    realm: 'object' in realm ? realm.object.path.join('/') : internalRealm,
    ...(realm.by === 'local-users' ? { users: usersOf(localUsers) } : {}),
    ...(realm.by === 'openid-connect' ? optional('provider', compileOpenIdProvider(realm.object)) : {}),
    ...(realm.by === 'directories' ? { directories: compileLdapDirectories(realm.object) } : {}),
    ...(realm.by === 'radius' ? { radiusServers: realm.servers } : {}),
    keys,
    exemptedClients: clientsOf(object, snapshot),
    pages: compileSignInPages(object, snapshot),
    policies,
  }
}

/** Local users who cannot log in: their passwords were set before proxies took any. */
export function usersWithoutDigest(localUsers: readonly ConfigurationObject[]): string[] {
  return localUsers.filter((user) => !hasDigest(user)).map(({ name }) => name)
}

function usersOf(localUsers: readonly ConfigurationObject[]): SnapshotLocalUser[] {
  return localUsers.filter(hasDigest).map((user) => ({ name: user.name, ...localUserReader.of(user) }))
}

function hasDigest(user: ConfigurationObject): boolean {
  return localUserReader.of(user).passwordHash.startsWith(digestBegin)
}

function clientsOf(object: ConfigurationObject, snapshot: Snapshot): string[] {
  return exemptedGroups(object, snapshot).flatMap(({ group }) => (group ? networksOf(group) : []))
}

/** The groups of trusted hosts that need no login, by name; undefined where there is none of a name. */
export function exemptedGroups(
  object: ConfigurationObject,
  snapshot: Snapshot,
): readonly { readonly name: string; readonly group: ConfigurationObject | undefined }[] {
  const { action, groups } = exemptedClients.of(object)
  if (action !== 'Allow') return []
  const kind = kindNamedBy(object.kind, 'trusted-hosts-group')
  return groups.map((name) => ({ name, group: kind && snapshot.object(kind, [name]) }))
}

function numberOfMinutesOr(otherwise: number) {
  return (value: Parameters<typeof secondsOfMinutes>[0]) =>
    ifGiven(secondsOfMinutes)(value) ?? secondsOfMinutes(otherwise)
}

/** How people log in to a service, as it says itself. */
export type SnapshotSignInSettings = Settings<typeof signInReader>

/** A user who is kept here: the digest of the password is argon2id, in the PHC string format. */
export type SnapshotLocalUserSettings = Settings<typeof localUserReader>
