import type { Kind } from '../../kinds/kind.ts'

export const radiusAuthenticationService = {
  name: 'radius-authentication-service',
  title: 'RADIUS Authentication Service',
  description: '',
  path: 'radius-services',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
  },
} as const satisfies Kind
