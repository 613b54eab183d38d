import type { Kind } from '../../kinds/kind.ts'

export const virtualInterface = {
  name: 'virtual-interface',
  title: 'Virtual Interface',
  description: '',
  path: 'virtual-interfaces',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    interface: { type: 'string', required: true },
    netmask: { type: 'netmask', required: true },
    comments: { type: 'string' },
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'] },
    'virtual-ip-service-id': { type: 'string' },
    vsite: { type: 'reference', to: 'vsite' },
  },
} as const satisfies Kind
