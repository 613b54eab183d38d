import type { Kind } from '../../kinds/kind.ts'
import { realmFields } from './realm-fields.ts'

/** A realm of users whom RADIUS servers (RFC 2865) know; they are asked in turn. */
export const radiusAuthenticationService = {
  name: 'radius-authentication-service',
  title: 'RADIUS Authentication Service',
  description: 'A realm whose users are checked by RADIUS servers.',
  path: 'radius-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: realmFields,
} as const satisfies Kind
