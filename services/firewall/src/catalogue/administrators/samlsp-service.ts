import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, hostOrAddress } from '../../kinds/patterns.ts'

/** The system is the service provider; the one that vouches for administrators is the identity provider. */
export const samlspService = {
  name: 'samlsp-service',
  title: 'SAMLSP SERVICE',
  description: 'The system as a SAML service provider, into which administrators log in by single sign-on.',
  path: 'samlsp-service',
  identifiedBy: 'realm-name',
  operations: ['list', 'create', 'read', 'update'],
  fields: {
    'realm-name': { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
    'default-role': {
      type: 'reference',
      to: 'administrator-role',
      required: true,
      description: 'The role of whoever is in no group of the role map.',
    },
    'samlsp-host': {
      type: 'string',
      lengthMax: 255,
      pattern: hostOrAddress,
      required: true,
      description: 'The host name under which browsers reach the system.',
    },
    'digest-algorithm': { type: 'choice', values: ['SHA1', 'SHA256'] },
    'enable-encryption': {
      type: 'yes-no',
      description: 'Whether assertions have to be encrypted for the system.',
    },
    'logout-processor-path': { type: 'string', lengthMin: 1, lengthMax: 63 },
    'post-processor-path': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 63,
      description: 'The path to which the identity provider has assertions posted.',
    },
    'role-map': { type: 'string', description: 'Which group has which role.' },
    'role-order': {
      type: 'string',
      description: 'The roles in the order in which they win when somebody is in several groups.',
    },
    'sp-display-name': { type: 'string', lengthMax: 255 },
    'sp-entity-id': { type: 'string', lengthMax: 1024 },
    'sp-org-name': { type: 'string', lengthMax: 255 },
    'sp-org-url': { type: 'string', lengthMax: 2048, pattern: absoluteUrl },
  },
} as const satisfies Kind
