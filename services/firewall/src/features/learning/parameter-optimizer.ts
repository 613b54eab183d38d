import type { Kind } from '../../kinds/kind.ts'

/** Learning makes one profile for each of param1, param2 and so on; with the token "param" it makes one, param*. */
export const parameterOptimizer = {
  name: 'parameter-optimizer',
  title: 'Parameter Optimizer',
  description: 'Joins the learned profiles of all parameters whose names begin alike.',
  path: 'parameter-optimizers',
  parent: 'service',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'start-token': {
      type: 'string',
      lengthMax: 50,
      required: true,
      description: 'The beginning that the names have in common.',
    },
  },
} as const satisfies Kind
