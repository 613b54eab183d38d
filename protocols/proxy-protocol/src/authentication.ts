import type { ForbiddenAddresses } from './forbidden-addresses.ts'
import type { SnapshotPage, SnapshotPlace } from './policy.ts'
import type { SnapshotKey } from './rewriting.ts'
import type {
  SnapshotAuthorizationSettings,
  SnapshotLdapDirectorySettings,
  SnapshotLocalUserSettings,
  SnapshotOpenIdProviderSettings,
  SnapshotRadiusServerSettings,
  SnapshotSignInSettings,
} from './settings.generated.ts'

/** Who has to log in before requests reach the servers of a service, and how. */
export interface SnapshotAuthentication extends SnapshotSignInSettings {
  /**
   * Who knows the users. `nobody`: none whom proxies can ask, so that protected addresses are refused, unless there are RADIUS servers:
   * proxies of the release before do not know them, and refuse.
   */
  readonly by: 'local-users' | 'openid-connect' | 'directories' | 'nobody'
  /** Tells the users of several realms apart. */
  readonly realm: string
  /** Present for local users. */
  readonly users?: readonly SnapshotLocalUser[]
  /** Present for OpenID Connect. */
  readonly provider?: SnapshotOpenIdProvider
  /** Present for directories: the first that answers is believed. */
  readonly directories?: readonly SnapshotLdapDirectory[]
  /** Present for RADIUS: the first that answers is believed. Never empty. */
  readonly radiusServers?: readonly SnapshotRadiusServer[]
  /** The first seals logins, all open them. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** Clients that need no login: addresses, ranges with "-" and networks with "/". */
  readonly exemptedClients: readonly string[]
  readonly pages: SnapshotSignInPages
  /** The first that fits a request is the one that counts; a request that none fits needs no login. Never empty. */
  readonly policies: readonly SnapshotAuthorizationPolicy[]
  /** Where no provider, no directory and no RADIUS server may lie; nowhere when absent. */
  readonly forbidden?: ForbiddenAddresses
}

/** A user whom the installation itself knows. */
export interface SnapshotLocalUser extends SnapshotLocalUserSettings {
  readonly name: string
}

/** A directory that is asked over LDAP. */
export interface SnapshotLdapDirectory extends SnapshotLdapDirectorySettings {}

/** A server that is asked over RADIUS. */
export interface SnapshotRadiusServer extends SnapshotRadiusServerSettings {}

/** An OpenID provider. */
export interface SnapshotOpenIdProvider extends SnapshotOpenIdProviderSettings {}

/** Pages that people see; in the place of some an address to which they are sent. Proxies have plain ones for those that are absent. */
export interface SnapshotSignInPages {
  readonly login?: SnapshotPage
  readonly loginFailed?: SnapshotPage | string
  readonly loggedIn?: SnapshotPage | string
  readonly loggedOut?: SnapshotPage | string
  readonly denied?: SnapshotPage
}

/** Requests that need a login, and whose is enough. */
export interface SnapshotAuthorizationPolicy extends SnapshotPlace, SnapshotAuthorizationSettings {
  readonly name: string
  /** Somebody who fits one of them may pass. */
  readonly accessRules: readonly SnapshotAccessRule[]
}

/** What all has to be true of somebody; nobody fits a rule without attributes. */
export interface SnapshotAccessRule {
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}
