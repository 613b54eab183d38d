import type { Kind } from '../../kinds/kind.ts'

export const sourceNat = {
  name: 'source-nat',
  title: 'Source NAT',
  description: '',
  path: 'source-nats',
  identifiedBy: 'pre-source-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'pre-source-address': { type: 'string', lengthMax: 255, required: true },
    'outgoing-interface': { type: 'string', required: true },
    'post-source-address': { type: 'string', required: true },
    'pre-source-netmask': { type: 'netmask', required: true },
    protocol: { type: 'choice', values: ['Any', 'TCP', 'TCP/UDP', 'UDP'], required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
    'destination-port': { type: 'string' },
  },
} as const satisfies Kind
