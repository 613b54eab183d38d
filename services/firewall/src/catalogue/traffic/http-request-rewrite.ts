import type { Kind } from '../../kinds/kind.ts'

export const httpRequestRewrite = {
  name: 'http-request-rewrite',
  title: 'HTTP Request Rewrite',
  description: '',
  path: 'http-request-rewrite-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'sequence-number': { type: 'integer', min: 1, max: 1499, required: true },
    action: {
      type: 'choice',
      values: ['Insert Header', 'Redirect URL', 'Remove Header', 'Rewrite Header', 'Rewrite URL'],
    },
    comments: { type: 'string' },
    condition: { type: 'string', lengthMax: 4096 },
    'continue-processing': { type: 'yes-no' },
    header: { type: 'string', lengthMax: 512 },
    'old-value': { type: 'string', lengthMax: 512 },
    'rewrite-value': { type: 'string', lengthMax: 512 },
  },
} as const satisfies Kind
