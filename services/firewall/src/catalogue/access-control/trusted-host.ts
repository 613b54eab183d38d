import type { Kind } from '../../kinds/kind.ts'

export const trustedHost = {
  name: 'trusted-host',
  title: 'Trusted Host',
  description: '',
  path: 'trusted-hosts',
  parent: 'trusted-host-group',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    comments: { type: 'string', lengthMax: 256 },
    'ip-address': { type: 'ip-address' },
    'ipv6-address': { type: 'string' },
    'ipv6-mask': { type: 'netmask' },
    mask: { type: 'netmask' },
    version: { type: 'choice', values: ['IPv4', 'IPv6'] },
  },
} as const satisfies Kind
