import type { Kind } from '../../kinds/kind.ts'

export const networkInterface = {
  name: 'network-interface',
  title: 'Network Interface',
  description: '',
  path: 'network-interfaces',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    duplexity: { type: 'choice', values: ['Full Duplex', 'Half Duplex'] },
    speed: { type: 'choice', values: ['10 Mbps', '100 Mbps', '1000 Mbps', '10000 Mbps'] },
    'auto-negotiation-status': { type: 'on-off' },
  },
} as const satisfies Kind
