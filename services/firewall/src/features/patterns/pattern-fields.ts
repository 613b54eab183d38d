import type { Fields } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'

/** The fields that the patterns of all types have. */
export const patternFields = {
  name: { type: 'string', lengthMax: 64, pattern: notBlank, required: true },
  regex: {
    type: 'string',
    lengthMax: 512,
    required: true,
    description: 'A regular expression that is looked for anywhere in the text, unless it says otherwise.',
  },
  'case-sensitive': { type: 'yes-no' },
  description: { type: 'string', lengthMin: 0, lengthMax: 512 },
} as const satisfies Fields

/** Which check the digits found have to pass, for numbers that carry a check digit. */
export const checkDigitAlgorithm = {
  type: 'choice',
  values: [
    'Credit Card Check Digit',
    'Czech National Identity Card Number Check Digit',
    'Hungarian Identity Card Number Check Digit',
    'Korean Resident Registration Number Check Digit',
    'None',
    'Poland National Identification Number Check Digit',
  ],
  description: 'The check that the digits found have to pass.',
} as const satisfies Fields[string]

/** Whether what matches is an attack, is logged only, or is not looked for. */
export const patternMode = {
  type: 'choice',
  values: ['Active', 'Off', 'Passive'],
  description: 'Passive logs what matches and lets it pass.',
} as const satisfies Fields[string]
