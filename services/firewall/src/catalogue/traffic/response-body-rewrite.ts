import type { Kind } from '../../kinds/kind.ts'

export const responseBodyRewrite = {
  name: 'response-body-rewrite',
  title: 'Response Body Rewrite',
  description: '',
  path: 'response-body-rewrite-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', required: true },
    'search-string': { type: 'string', lengthMax: 512, required: true },
    'sequence-number': { type: 'integer', min: 1, max: 1499, required: true },
    url: { type: 'string', required: true },
    comments: { type: 'string' },
    'replace-string': { type: 'string', lengthMax: 512 },
  },
} as const satisfies Kind
