import type { Kind } from '../../kinds/kind.ts'

export const bond = {
  name: 'bond',
  title: 'Bond',
  description: '',
  path: 'bonds',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'bond-ports': { type: 'string', required: true },
    duplexity: { type: 'choice', values: ['Automatic', 'Full', 'Half'] },
    'min-link': { type: 'integer', max: 10 },
    mode: { type: 'choice', values: ['Active-Backup', 'Dynamic Link Aggregation', 'Round Robin'] },
    mtu: { type: 'integer', min: 68, max: 9216 },
    speed: { type: 'choice', values: ['10', '100', '1000', '10000', 'Automatic'] },
  },
} as const satisfies Kind
