import type { Section } from '../../../kinds/kind.ts'

export const dns = {
  title: 'DNS',
  description: '',
  fields: {
    'primary-dns-server': { type: 'string', default: '10.64.17.10' },
    'secondary-dns-server': { type: 'string', default: '10.112.17.10' },
  },
} as const satisfies Section
