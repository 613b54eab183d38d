import type { Kind } from '../../kinds/kind.ts'

export const httpResponseRewrite = {
  name: 'http-response-rewrite',
  title: 'HTTP Response Rewrite',
  description: '',
  path: 'http-response-rewrite-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    action: { type: 'choice', values: ['Insert Header', 'Remove Header', 'Rewrite Header'], required: true },
    'sequence-number': { type: 'integer', min: 1, max: 2048, required: true },
    comments: { type: 'string' },
    condition: { type: 'string', lengthMax: 4096 },
    'continue-processing': { type: 'yes-no' },
    header: { type: 'string', lengthMax: 512 },
    'old-value': { type: 'string', lengthMax: 1024 },
    'rewrite-value': { type: 'string', lengthMax: 1024 },
  },
} as const satisfies Kind
