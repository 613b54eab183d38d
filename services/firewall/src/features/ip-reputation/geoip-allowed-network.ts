import type { Kind } from '../../kinds/kind.ts'

/** An exception to what the region says that the addresses are registered in. */
export const geoipAllowedNetwork = {
  name: 'geoip-allowed-network',
  title: 'GeoIP Allowed Networks',
  description: 'Networks that are let in wherever the GEO pool of the service says otherwise.',
  path: 'geoip-allowed-networks',
  parent: 'service',
  identifiedBy: 'allow-ip',
  fields: {
    'allow-ip': { type: 'ip-address', required: true },
    'allow-netmask': { type: 'netmask', required: true },
    comment: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
