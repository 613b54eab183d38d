import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

export const dataTheftProtection = {
  name: 'data-theft-protection',
  title: 'Data Theft Protection',
  description: '',
  path: 'protected-data-types',
  parent: 'security-policy',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    action: { type: 'choice', values: ['Block', 'Cloak'], default: 'Block' },
    'custom-identity-theft-type': { type: 'string' },
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
    'initial-characters-to-keep': { type: 'integer', min: 0, max: 100, default: 0 },
    'trailing-characters-to-keep': { type: 'integer', min: 0, max: 100, default: 4 },
  },
} as const satisfies Kind
