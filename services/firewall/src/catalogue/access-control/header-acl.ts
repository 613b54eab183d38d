import type { Kind } from '../../kinds/kind.ts'

export const headerAcl = {
  name: 'header-acl',
  title: 'Header ACL',
  description: '',
  path: 'header-acls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 78, required: true },
    'header-name': { type: 'string', required: true },
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
        ],
      },
    },
    comments: { type: 'string' },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'string' } },
    'denied-metachars': { type: 'string', lengthMax: 239 },
    'exception-patterns': { type: 'list', of: { type: 'string' } },
    'max-header-value-length': { type: 'integer', min: 0, max: 65_536 },
    mode: { type: 'choice', values: ['Active', 'Passive'] },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
