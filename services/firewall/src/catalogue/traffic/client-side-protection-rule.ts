import type { Kind } from '../../kinds/kind.ts'

export const clientSideProtectionRule = {
  name: 'client-side-protection-rule',
  title: 'Supply Chain',
  description: '',
  path: 'client-side-protection',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, required: true },
    url: { type: 'string', lengthMax: 5000, required: true },
    'csp-mode': { type: 'list', of: { type: 'choice', values: ['Block', 'Report Only'] } },
    'extended-match': { type: 'string', lengthMax: 4096 },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000 },
    'sri-hash': { type: 'string' },
    'sri-src': { type: 'string' },
    'sri-url': { type: 'string', lengthMax: 5000 },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
