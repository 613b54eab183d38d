import type { Kind } from '../../kinds/kind.ts'
import { longNumber } from '../../kinds/patterns.ts'

/** Protects from JSON that is made to exhaust whoever parses it. */
export const jsonSecurityPolicy = {
  name: 'json-security-policy',
  title: 'JSON Security Policy',
  description: 'How large and how deep the JSON of requests may be.',
  path: 'json-security-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'max-key-length': { type: 'integer', min: 0, max: 1024, unit: 'characters', required: true },
    'max-keys': {
      type: 'integer',
      min: 0,
      max: 16_384,
      required: true,
      description: 'How many keys one request may have in all.',
    },
    'max-value-length': { type: 'integer', min: 0, max: 8192, unit: 'characters', required: true },
    'max-array-elements': { type: 'integer', min: 0, max: 8192 },
    'max-number-value': {
      type: 'string',
      pattern: longNumber,
      lengthMax: 21,
      description: 'The greatest number that is taken; 0 for no limit.',
    },
    'max-object-depth': { type: 'integer', min: 0, max: 64 },
    'max-siblings': {
      type: 'integer',
      min: 0,
      max: 8192,
      description: 'How many keys one object may have.',
    },
    'min-number-value': {
      type: 'string',
      pattern: longNumber,
      lengthMax: 21,
      description: 'The smallest number that is taken; no limit when empty.',
    },
  },
  factory: [
    {
      path: ['default-policy'],
      fields: { 'max-key-length': 128, 'max-keys': 2048, 'max-value-length': 8192 },
    },
  ],
} as const satisfies Kind
