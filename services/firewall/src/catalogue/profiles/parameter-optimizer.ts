import type { Kind } from '../../kinds/kind.ts'

export const parameterOptimizer = {
  name: 'parameter-optimizer',
  title: 'Parameter Optimizer',
  description: '',
  path: 'parameter-optimizers',
  parent: 'service',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'start-token': { type: 'string', lengthMax: 50, required: true },
  },
} as const satisfies Kind
