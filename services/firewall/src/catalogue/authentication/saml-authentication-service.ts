import { realmFields } from '../../features/authentication/realm-fields.ts'
import type { Kind } from '../../kinds/kind.ts'

/** A realm of users who log in at an identity provider and come back with a signed assertion (SAML 2.0). */
export const samlAuthenticationService = {
  name: 'saml-authentication-service',
  title: 'SAML Authentication Service',
  description: 'A realm whose users are authenticated elsewhere, by SAML identity providers.',
  path: 'saml-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
