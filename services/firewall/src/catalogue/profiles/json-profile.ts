import type { Kind } from '../../kinds/kind.ts'

export const jsonProfile = {
  name: 'json-profile',
  title: 'JSON Profile',
  description: '',
  path: 'json-profiles',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'host-match': { type: 'string', lengthMax: 5000, required: true },
    method: { type: 'list', of: { type: 'string' }, required: true },
    'url-match': { type: 'string', lengthMax: 5000, required: true },
    'allowed-content-types': { type: 'list', of: { type: 'string' } },
    comment: { type: 'string', lengthMax: 256 },
    'exception-patterns': { type: 'list', of: { type: 'string' } },
    'ignore-keys': { type: 'list', of: { type: 'string' } },
    'json-policy': { type: 'reference', to: 'json-security-policy' },
    mode: { type: 'choice', values: ['Active', 'Passive'] },
    status: { type: 'on-off' },
    'validate-key': { type: 'yes-no' },
  },
} as const satisfies Kind
