import type { Kind } from '../../kinds/kind.ts'

export const externalRadiusService = {
  name: 'external-radius-service',
  title: 'External RADIUS Service',
  description: '',
  path: 'external-radius-services',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'default-role': { type: 'reference', to: 'administrator-role', required: true },
    'server-ip': { type: 'string', required: true },
    port: { type: 'integer' },
    'shared-secret': { type: 'string', writeOnly: true },
    timeout: { type: 'integer', min: 1, max: 30 },
  },
} as const satisfies Kind
