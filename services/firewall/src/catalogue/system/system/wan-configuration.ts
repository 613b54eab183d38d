import type { Section } from '../../../kinds/kind.ts'

export const wanConfiguration = {
  title: 'WAN Configuration',
  description: '',
  fields: {
    'ip-address': { type: 'ip-address', default: '172.29.97.7' },
    mask: { type: 'netmask', default: '255.255.255.0' },
    'allow-administration-access': { type: 'yes-no', default: 'Yes' },
    gateway: { type: 'string', default: '172.29.97.1' },
    'ipv6-address': { type: 'string' },
    'ipv6-gateway': { type: 'string' },
    'ipv6-mask': { type: 'netmask' },
    'vlan-id': { type: 'integer', min: 1, max: 4095 },
  },
} as const satisfies Section
