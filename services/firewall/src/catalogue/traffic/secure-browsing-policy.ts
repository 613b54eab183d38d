import type { Kind } from '../../kinds/kind.ts'

export const secureBrowsingPolicy = {
  name: 'secure-browsing-policy',
  title: 'Secure Browsing Policy',
  description: '',
  path: 'secure-browsing-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'credential-server': { type: 'string', required: true },
    url: { type: 'string', required: true },
    comments: { type: 'string' },
    'extended-match': { type: 'string' },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000 },
    host: { type: 'string' },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
