import type { SnapshotLdapDirectory } from '@palisade/proxy-protocol'
import { byName, isOn, numberOr, text, textIfGiven, textOr } from '../../kinds/conversions.ts'
import { fieldReader, type Settings } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { ldapDomainServer } from './ldap-domain-server.ts'

/** A directory, and how users and groups are looked up in it. */
export const ldapDirectoryReader = fieldReader(ldapDomainServer, {
  address: ['ip-address', text],
  port: ['port', numberOr(389)],
  encryption: ['secure-connection-type', byName({ None: 'none', 'SSL/TLS': 'tls' }, 'start-tls')],
  /** The entry below which users and groups are looked for. */
  baseDn: ['base-dn', text],
  bindDn: ['bind-dn', text],
  bindPassword: ['bind-password', text],
  loginAttribute: ['login-attribute', textOr('uid')],
  /** What users may write before their name and a backslash. */
  domainAlias: ['domain-alias', textIfGiven],
  looksUpGroups: ['query-for-group', isOn],
  /** A search filter (RFC 4515) that all groups fit. */
  groupFilter: ['group-filter', textIfGiven],
  groupNameAttribute: ['group-name-attribute', textOr('cn')],
  allowsNestedGroups: ['allow-nested-groups', isOn],
})

/** The directories of a realm, in the order in which they are asked. */
export function compileLdapDirectories(realm: ConfigurationObject): SnapshotLdapDirectory[] {
  return childrenOf(realm, ldapDomainServer.name).map((server) => ldapDirectoryReader.of(server))
}

/** What a directory is asked with. */
export type SnapshotLdapDirectorySettings = Settings<typeof ldapDirectoryReader>
