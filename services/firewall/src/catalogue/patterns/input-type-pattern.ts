import type { Kind } from '../../kinds/kind.ts'

export const inputTypePattern = {
  name: 'input-type-pattern',
  title: 'Input Type Pattern',
  description: '',
  path: 'input-patterns',
  parent: 'input-type',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    regex: { type: 'string', lengthMax: 512, required: true },
    algorithm: {
      type: 'choice',
      values: [
        'Credit Card Check Digit',
        'Czech National Identity Card Number Check Digit',
        'Hungarian Identity Card Number Check Digit',
        'Korean Resident Registration Number Check Digit',
        'None',
        'Poland National Identification Number Check Digit',
      ],
    },
    'case-sensitive': { type: 'yes-no' },
    description: { type: 'string', lengthMin: 0, lengthMax: 512 },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
