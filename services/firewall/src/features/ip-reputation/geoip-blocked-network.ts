import type { Kind } from '../../kinds/kind.ts'

/** An exception to what the region says that the addresses are registered in. */
export const geoipBlockedNetwork = {
  name: 'geoip-blocked-network',
  title: 'GeoIP Blocked Networks',
  description: 'Networks that are kept out wherever the GEO pool of the service says otherwise.',
  path: 'geoip-blocked-networks',
  parent: 'service',
  identifiedBy: 'block-ip',
  fields: {
    'block-ip': { type: 'ip-address', required: true },
    'block-netmask': { type: 'netmask', required: true },
    comment: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
