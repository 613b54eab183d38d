import type { Section } from '../../../kinds/kind.ts'

export const managementConfiguration = {
  title: 'Management Configuration',
  description: '',
  fields: {
    'allow-administration-access': { type: 'yes-no', default: 'No' },
    gateway: { type: 'string' },
    'ip-address': { type: 'ip-address' },
    'ipv6-address': { type: 'string' },
    'ipv6-gateway': { type: 'string' },
    'ipv6-mask': { type: 'netmask' },
    mask: { type: 'netmask' },
    'vlan-id': { type: 'integer', min: 1, max: 4095 },
  },
} as const satisfies Section
