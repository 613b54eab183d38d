import type { Section } from '../../../kinds/kind.ts'
import { notBlank, percentEncodedCharacters } from '../../../kinds/patterns.ts'

export const parameterProtection = {
  title: 'Parameter Protection',
  description: '',
  fields: {
    'allowed-file-upload-type': {
      type: 'choice',
      values: ['Extensions', 'Mime Types'],
      default: 'Extensions',
    },
    'base64-decode-parameter-value': { type: 'yes-no', default: 'No' },
    'blocked-attack-types': {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'Apache Struts attacks',
          'Apache struts attacks strict',
          'Cross-Site Scripting',
          'Cross-Site Scripting strict',
          'Directory Traversal',
          'Directory Traversal strict',
          'HTTP Specific Injection',
          'LDAP Injection',
          'OS Command Injection',
          'OS Command Injection strict',
          'Python-PHP attacks',
          'Remote File Inclusion',
          'Remote File Inclusion strict',
          'SQL Injection',
          'SQL Injection strict',
          'Spam URL List',
        ],
      },
      default: [
        'Cross-Site Scripting',
        'SQL Injection',
        'OS Command Injection',
        'LDAP Injection',
        'Python-PHP attacks',
        'HTTP Specific Injection',
        'Apache Struts attacks',
      ],
    },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'string' } },
    'denied-metacharacters': {
      type: 'string',
      lengthMax: 239,
      pattern: percentEncodedCharacters,
      default: '%00%01%04%1b%08%5c%7f',
    },
    enable: { type: 'yes-no', default: 'Yes' },
    'exception-patterns': { type: 'list', of: { type: 'string', pattern: notBlank } },
    'file-upload-extensions': { type: 'list', of: { type: 'string' }, default: ['JPG', 'GIF', 'PDF'] },
    'file-upload-mime-types': {
      type: 'list',
      of: { type: 'string' },
      default: ['image/jpeg', 'image/gif', 'application/pdf'],
    },
    'ignore-parameters': { type: 'list', of: { type: 'string' }, default: ['__VIEWSTATE'] },
    'maximum-instances': { type: 'integer', min: 0, max: 32_767 },
    'maximum-parameter-value-length': { type: 'integer', min: 0, max: 1_073_741_824, default: 1000 },
    'maximum-upload-file-size': { type: 'integer', min: 0, max: 51_200, default: 1024 },
    'validate-parameter-name': { type: 'yes-no', default: 'No' },
  },
} as const satisfies Section
