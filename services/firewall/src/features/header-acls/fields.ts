import type { Kind } from '../../kinds/kind.ts'
import { headerName, notBlank, objectName } from '../../kinds/patterns.ts'

/** Lies inside a service; a rule for a header takes the place of the one for "*". */
export const headerAcl = {
  name: 'header-acl',
  title: 'Header ACL',
  description: 'What a header of requests must not contain.',
  path: 'header-acls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 78, pattern: objectName, required: true },
    status: { type: 'on-off' },
    mode: {
      type: 'choice',
      values: ['Passive', 'Active'],
      description: 'Passive logs what Active would block.',
    },
    'header-name': {
      type: 'string',
      lengthMax: 255,
      pattern: headerName,
      required: true,
      description: '"*" for every header that has no rule of its own.',
    },
    'max-header-value-length': {
      type: 'integer',
      min: 0,
      max: 65_536,
      unit: 'bytes',
      description: 'Left out, the request limits of the security policy count alone.',
    },
    'denied-metachars': {
      type: 'string',
      lengthMax: 239,
      description: 'Characters, of which those that cannot be printed are percent-encoded.',
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
    'custom-blocked-attack-types': { type: 'list', of: { type: 'reference', to: 'attack-type' } },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      description: 'Names of patterns of those attacks that are not looked for.',
    },
    comments: { type: 'string' },
  },
} as const satisfies Kind
