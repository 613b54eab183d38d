import type { Kind } from '../../kinds/kind.ts'

export const destinationNat = {
  name: 'destination-nat',
  title: 'Destination NAT',
  description: '',
  path: 'destination-nats',
  identifiedBy: 'pre-destination-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'pre-destination-address': { type: 'string', lengthMax: 255, required: true },
    'incoming-interface': { type: 'string', required: true },
    'post-destination-address': { type: 'string', required: true },
    'pre-destination-netmask': { type: 'netmask', required: true },
    protocol: { type: 'choice', values: ['Any', 'TCP', 'TCP/UDP', 'UDP'], required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
    'pre-destination-port': { type: 'string' },
  },
} as const satisfies Kind
