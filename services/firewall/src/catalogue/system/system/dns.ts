import type { Section } from '../../../kinds/kind.ts'

export const dns = {
  title: 'DNS',
  description: 'The DNS servers that the system asks.',
  fields: {
    'primary-dns-server': { type: 'ip-address' },
    'secondary-dns-server': {
      type: 'ip-address',
      description: 'Asked when the primary one does not answer.',
    },
  },
} as const satisfies Section
