import type { Section } from '../../../kinds/kind.ts'

export const lanConfiguration = {
  title: 'LAN Configuration',
  description: '',
  fields: {
    'allow-administration-access': { type: 'yes-no', default: 'No' },
    'ip-address': { type: 'ip-address' },
    'ipv6-address': { type: 'string' },
    'ipv6-mask': { type: 'netmask' },
    mask: { type: 'netmask' },
    'vlan-id': { type: 'integer', min: 1, max: 4095 },
  },
} as const satisfies Section
