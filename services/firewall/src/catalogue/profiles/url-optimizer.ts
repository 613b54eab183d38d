import type { Kind } from '../../kinds/kind.ts'

export const urlOptimizer = {
  name: 'url-optimizer',
  title: 'URL Optimizer',
  description: '',
  path: 'url-optimizers',
  parent: 'service',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'start-token': { type: 'string', lengthMax: 50, required: true },
    'end-delimiter': { type: 'string', lengthMax: 1 },
  },
} as const satisfies Kind
