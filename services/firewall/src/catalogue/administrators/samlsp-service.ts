import type { Kind } from '../../kinds/kind.ts'

export const samlspService = {
  name: 'samlsp-service',
  title: 'SAMLSP SERVICE',
  description: '',
  path: 'samlsp-service',
  identifiedBy: 'realm-name',
  operations: ['list', 'create', 'read', 'update'],
  fields: {
    'realm-name': { type: 'string', lengthMin: 1, lengthMax: 63, required: true },
    'default-role': { type: 'reference', to: 'administrator-role', required: true },
    'samlsp-host': { type: 'string', required: true },
    'digest-algorithm': { type: 'choice', values: ['SHA1', 'SHA256'] },
    'enable-encryption': { type: 'yes-no' },
    'logout-processor-path': { type: 'string', lengthMin: 1, lengthMax: 63 },
    'post-processor-path': { type: 'string', lengthMin: 1, lengthMax: 63 },
    'role-map': { type: 'string' },
    'role-order': { type: 'string' },
    'sp-display-name': { type: 'string' },
    'sp-entity-id': { type: 'string' },
    'sp-org-name': { type: 'string' },
    'sp-org-url': { type: 'string' },
  },
} as const satisfies Kind
