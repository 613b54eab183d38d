import type { Kind } from '../../kinds/kind.ts'
import { parameterAttackTypes } from '../patterns/built-in-attack-types.ts'

/** Profiles of parameters and of JSON keys name it. The custom input type counts where `input-type-validation` is CUSTOM. */
export const customParameterClass = {
  name: 'custom-parameter-class',
  title: 'Custom Parameter Class',
  description: 'What the values of parameters may be that are put into this class.',
  path: 'custom-parameter-classes',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'blocked-attack-types': { type: 'list', of: { type: 'choice', values: parameterAttackTypes } },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'reference', to: 'attack-type' } },
    'custom-input-type-validation': {
      type: 'reference',
      to: 'input-type',
      // The API's documentation shows the word with its angle brackets escaped, which clients have copied.
      orOneOf: ['<NONE>', '&lt;NONE&gt;'],
      description: 'What a value has to look like when input-type-validation is CUSTOM.',
    },
    'denied-metacharacters': {
      type: 'string',
      lengthMax: 239,
      description: 'Characters that a value must not contain; unprintable ones percent-encoded.',
    },
    'input-type-validation': {
      type: 'choice',
      description: 'What a value has to look like; anything with NONE.',
      values: [
        'Alpha',
        'Alphanumeric',
        'CUSTOM',
        'Credit Cards',
        'Date',
        'Email',
        'Hex Number',
        'NONE',
        'Name',
        'Numeric',
        'String',
      ],
    },
  },
  factory: [
    {
      path: ['CommentSpam'],
      fields: {
        'blocked-attack-types': ['Cross-Site Scripting', 'SQL Injection', 'Spam URL List'],
      },
    },
  ],
} as const satisfies Kind
