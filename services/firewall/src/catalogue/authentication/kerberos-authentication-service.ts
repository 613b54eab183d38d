import { realmFields } from '../../features/authentication/realm-fields.ts'
import type { Kind } from '../../kinds/kind.ts'

/** A realm as Kerberos (RFC 4120) means it, by convention in capitals: EXAMPLE.COM. */
export const kerberosAuthenticationService = {
  name: 'kerberos-authentication-service',
  title: 'Kerberos Authentication Service',
  description: 'A realm whose users are checked by the key distribution centres of Kerberos.',
  path: 'kerberos-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
