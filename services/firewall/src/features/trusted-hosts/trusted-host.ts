import type { Kind } from '../../kinds/kind.ts'
import { ipv6Mask, objectName } from '../../kinds/patterns.ts'

/** The version says which of the two networks counts. */
export const trustedHost = {
  name: 'trusted-host',
  title: 'Trusted Host',
  description: 'A client, or a network of clients, that is trusted.',
  path: 'trusted-hosts',
  parent: 'trusted-host-group',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    version: { type: 'choice', values: ['IPv4', 'IPv6'] },
    'ip-address': { type: 'ip-address' },
    mask: { type: 'netmask' },
    'ipv6-address': { type: 'ip-address' },
    'ipv6-mask': { type: 'string', pattern: ipv6Mask },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
