import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/**
 * Looks for one type of data in responses. It works on those URLs only whose URL policy turns data theft
 * protection on.
 */
export const dataTheftProtection = {
  name: 'data-theft-protection',
  title: 'Data Theft Protection',
  description: 'A type of data that responses must not give away.',
  path: 'protected-data-types',
  parent: 'security-policy',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    action: {
      type: 'choice',
      values: ['Block', 'Cloak'],
      default: 'Block',
      description: 'Block replaces the response, Cloak overwrites what was found in it.',
    },
    'custom-identity-theft-type': {
      type: 'reference',
      to: 'identity-theft-type',
      description: 'The type, when identity-theft-type is CUSTOM.',
    },
    enable: { type: 'yes-no', default: 'Yes' },
    'identity-theft-type': {
      type: 'choice',
      values: [
        'CUSTOM',
        'Credit Cards',
        'Social Security Numbers',
        'Directory Indexing',
        'Microsoft Errors',
        'Oracle Errors',
        'PHP Errors',
        'PostgreS Errors',
        'MySQL Errors',
        'AWS Meta Checks',
      ],
      default: 'CUSTOM',
    },
    'initial-characters-to-keep': {
      type: 'integer',
      min: 0,
      max: 100,
      default: 0,
      description: 'How many characters at the front Cloak leaves readable.',
    },
    'trailing-characters-to-keep': {
      type: 'integer',
      min: 0,
      max: 100,
      default: 4,
      description: 'How many characters at the end Cloak leaves readable.',
    },
  },
} as const satisfies Kind
