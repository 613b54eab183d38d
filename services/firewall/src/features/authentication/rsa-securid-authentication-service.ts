import type { Kind } from '../../kinds/kind.ts'
import { realmFields } from './realm-fields.ts'

/** A realm of users with one-time codes; its servers are spoken to over RADIUS. */
export const rsaSecuridAuthenticationService = {
  name: 'rsa-securid-authentication-service',
  title: 'RSA SecurID Authentication Service',
  description: 'A realm whose users log in with the changing codes of RSA SecurID tokens.',
  path: 'rsa-securid-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
