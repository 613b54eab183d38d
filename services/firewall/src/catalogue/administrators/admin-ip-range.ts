import type { Kind } from '../../kinds/kind.ts'

/** While there is none, administrators may come from everywhere. */
export const adminIpRange = {
  name: 'admin-ip-range',
  title: 'Admin IP Range',
  description: 'A range of addresses from which administrators may come.',
  path: 'admin-ip-range',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': {
      type: 'ip-address',
      required: true,
      description: 'The address of the network, or of one machine.',
    },
    netmask: { type: 'netmask', required: true },
  },
} as const satisfies Kind
