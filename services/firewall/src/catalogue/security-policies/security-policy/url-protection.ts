import type { Section } from '../../../kinds/kind.ts'
import { lettersAndUnderscores, notBlank } from '../../../kinds/patterns.ts'

export const urlProtection = {
  title: 'URL Protection',
  description: '',
  fields: {
    'allowed-methods': {
      type: 'list',
      of: { type: 'string', pattern: lettersAndUnderscores },
      default: ['GET', 'POST', 'HEAD'],
    },
    'allowed-content-types': {
      type: 'list',
      of: { type: 'string' },
      default: ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/xml', 'application/json'],
    },
    'blocked-attack-types': {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'Apache Struts attacks',
          'Apache struts attacks strict',
          'Cross-Site Scripting',
          'Cross-Site Scripting strict',
          'HTTP Specific Injection',
          'LDAP Injection',
          'OS Command Injection',
          'OS Command Injection strict',
          'Python-PHP attacks',
          'Remote File Inclusion',
          'Remote File Inclusion strict',
          'SQL Injection',
          'SQL Injection strict',
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
    'csrf-prevention': { type: 'choice', values: ['None', 'Forms', 'Forms and URLs'], default: 'None' },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'string' } },
    enable: { type: 'choice', values: ['Enable', 'Disable'], default: 'Enable' },
    'exception-patterns': { type: 'list', of: { type: 'string', pattern: notBlank } },
    'max-content-length': { type: 'integer', min: 0, max: 8_388_608, default: 32_768 },
    'max-parameters': { type: 'integer', min: 0, max: 1024, default: 40 },
    'maximum-parameter-name-length': { type: 'integer', min: 1, max: 1024, default: 64 },
    'maximum-upload-files': { type: 'integer', min: 0, max: 1024, default: 5 },
  },
} as const satisfies Section
