import type { Kind } from '../../kinds/kind.ts'

export const networkVlan = {
  name: 'network-vlan',
  title: 'Network VLAN',
  description: '',
  path: 'vlans',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    interface: { type: 'string', required: true },
    'vlan-id': { type: 'integer', min: 1, max: 4095, required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
  },
} as const satisfies Kind
