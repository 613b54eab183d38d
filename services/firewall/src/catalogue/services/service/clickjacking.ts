import type { Section } from '../../../kinds/kind.ts'

export const clickjacking = {
  title: 'Clickjacking',
  description: '',
  fields: {
    'allowed-origin': { type: 'string', lengthMax: 128 },
    options: { type: 'choice', values: ['Never', 'Same Origin', 'Allowed Origin'], default: 'Same Origin' },
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
