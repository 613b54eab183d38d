import type { Kind } from '../../kinds/kind.ts'
import { realmFields } from './realm-fields.ts'

/** A realm of users who log in at an identity provider and come back with a code that is exchanged for tokens (OpenID Connect Core 1.0). */
export const oidcAuthenticationService = {
  name: 'oidc-authentication-service',
  title: 'OIDC Authentication Service',
  description: 'A realm whose users are authenticated elsewhere, by OpenID Connect identity providers.',
  path: 'openidc-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
