import type { Kind } from '../../kinds/kind.ts'

export const trapReceiver = {
  name: 'trap-receiver',
  title: 'Trap Receiver',
  description: '',
  path: 'trap-receivers',
  parent: 'system',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    'community-string': { type: 'string', required: true },
    port: { type: 'integer', required: true },
  },
} as const satisfies Kind
