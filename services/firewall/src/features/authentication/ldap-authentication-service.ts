import type { Kind } from '../../kinds/kind.ts'
import { realmFields } from './realm-fields.ts'

/** A realm of users in directories; its LDAP domain servers are asked in turn. */
export const ldapAuthenticationService = {
  name: 'ldap-authentication-service',
  title: 'LDAP Authentication Service',
  description: 'A realm whose users are looked up and checked in LDAP directories, such as Active Directory.',
  path: 'ldap-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
