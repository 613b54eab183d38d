import type { Kind } from '../../kinds/kind.ts'

export const localHost = {
  name: 'local-host',
  title: 'Local Host',
  description: '',
  path: 'local-hosts',
  parent: 'system',
  identifiedBy: 'hostname',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    hostname: { type: 'string', lengthMax: 255, required: true },
    'ip-address': { type: 'list', of: { type: 'string' }, required: true },
  },
} as const satisfies Kind
