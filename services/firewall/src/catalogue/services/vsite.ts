import type { Kind } from '../../kinds/kind.ts'

export const vsite = {
  name: 'vsite',
  title: 'Vsite',
  description: '',
  path: 'vsites',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    interface: { type: 'choice', values: ['LAN', 'WAN'], required: true, createOnly: true },
    'active-on': { type: 'string', lengthMax: 64 },
    comments: { type: 'string' },
  },
} as const satisfies Kind
