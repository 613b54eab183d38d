import type { Kind } from '../../kinds/kind.ts'

export const allowOrDenyClient = {
  name: 'allow-or-deny-client',
  title: 'Allow or Deny Client',
  description: '',
  path: 'allow-deny-clients',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    action: { type: 'choice', values: ['Allow', 'Deny'] },
    'certificate-serial': { type: 'string', lengthMax: 64 },
    'common-name': { type: 'string' },
    country: { type: 'string' },
    locality: { type: 'string' },
    organization: { type: 'string' },
    'organizational-unit': { type: 'string' },
    sequence: { type: 'integer', min: 1, max: 10_000 },
    state: { type: 'string' },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
