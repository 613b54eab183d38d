import type { Kind } from '../../kinds/kind.ts'

export const geoipBlockedNetwork = {
  name: 'geoip-blocked-network',
  title: 'GeoIP Blocked Networks',
  description: '',
  path: 'geoip-blocked-networks',
  parent: 'service',
  identifiedBy: 'block-ip',
  fields: {
    'block-ip': { type: 'string', lengthMax: 255, required: true },
    'block-netmask': { type: 'netmask', required: true },
    comment: { type: 'string' },
  },
} as const satisfies Kind
