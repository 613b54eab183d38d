import type { Kind } from '../../kinds/kind.ts'
import { longNumber } from '../../kinds/patterns.ts'
import { parameterClasses } from '../parameter-classes/parameter-classes.ts'

/** Tightens the JSON security policy for one key; its limits are 0 where the policy's are enough. */
export const jsonKeyProfile = {
  name: 'json-key-profile',
  title: 'JSON Key Profile',
  description: 'What the value of a key may be in the JSON of requests that match a JSON profile.',
  path: 'json-key-profiles',
  parent: 'json-profile',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    key: { type: 'string', lengthMax: 5000, required: true },
    'value-class': {
      type: 'reference',
      to: 'custom-parameter-class',
      orOneOf: parameterClasses,
      required: true,
    },
    'allow-null': { type: 'yes-no' },
    'allowed-metachars': {
      type: 'string',
      lengthMax: 239,
      description:
        'Characters that are taken although the class denies them; unprintable ones percent-encoded.',
    },
    'base64-decode-parameter-value': { type: 'yes-no' },
    comments: { type: 'string', lengthMax: 256 },
    'exception-patterns': {
      type: 'list',
      description: 'The names of attack patterns that are not looked for in this key.',
      of: { type: 'string', lengthMax: 256 },
    },
    'max-array-elements': { type: 'integer', min: 0, max: 8192 },
    'max-keys': { type: 'integer', min: 0, max: 16_384 },
    'max-length': { type: 'integer', min: 0, max: 8192, unit: 'characters' },
    'max-number-value': {
      type: 'string',
      pattern: longNumber,
      lengthMax: 21,
      description: 'The greatest number that is taken; 0 for no limit.',
    },
    'min-number-value': {
      type: 'string',
      pattern: longNumber,
      lengthMax: 21,
      description: 'The smallest number that is taken; no limit when empty.',
    },
    status: { type: 'on-off' },
    'validate-key': { type: 'yes-no', description: "Looks for attacks in the key's name, too." },
    'value-type': { type: 'choice', values: ['Any', 'Array', 'Number', 'Object', 'String'] },
  },
} as const satisfies Kind
