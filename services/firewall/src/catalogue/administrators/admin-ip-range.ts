import type { Kind } from '../../kinds/kind.ts'

export const adminIpRange = {
  name: 'admin-ip-range',
  title: 'Admin IP Range',
  description: '',
  path: 'admin-ip-range',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    netmask: { type: 'netmask', required: true },
  },
} as const satisfies Kind
