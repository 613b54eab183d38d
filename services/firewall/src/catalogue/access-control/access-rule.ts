import type { Kind } from '../../kinds/kind.ts'

export const accessRule = {
  name: 'access-rule',
  title: 'Access Rule',
  description: '',
  path: 'access-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'attribute-names': { type: 'list', of: { type: 'string' } },
    'attribute-values': { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Kind
