import type { Kind } from '../../kinds/kind.ts'

export const jsonSecurityPolicy = {
  name: 'json-security-policy',
  title: 'JSON Security Policy',
  description: '',
  path: 'json-security-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'max-key-length': { type: 'integer', min: 0, max: 1024, required: true },
    'max-keys': { type: 'integer', min: 0, max: 16_384, required: true },
    'max-value-length': { type: 'integer', min: 0, max: 8192, required: true },
    'max-array-elements': { type: 'integer', min: 0, max: 8192 },
    'max-number-value': { type: 'integer', min: 0 },
    'max-object-depth': { type: 'integer', min: 0, max: 64 },
    'max-siblings': { type: 'integer', min: 0, max: 8192 },
    'min-number-value': { type: 'string' },
  },
} as const satisfies Kind
