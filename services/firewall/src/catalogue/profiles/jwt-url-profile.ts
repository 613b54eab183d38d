import type { Kind } from '../../kinds/kind.ts'

export const jwtUrlProfile = {
  name: 'jwt-url-profile',
  title: 'JWT URL Profile',
  description: '',
  path: 'jwt-url-profiles',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'extended-match': { type: 'string', lengthMax: 4096, required: true },
    'host-match': { type: 'string', lengthMax: 5000, required: true },
    url: { type: 'string', lengthMax: 5000, required: true },
    'validator-policy': { type: 'string', required: true },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000 },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
