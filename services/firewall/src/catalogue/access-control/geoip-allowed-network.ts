import type { Kind } from '../../kinds/kind.ts'

export const geoipAllowedNetwork = {
  name: 'geoip-allowed-network',
  title: 'GeoIP Allowed Networks',
  description: '',
  path: 'geoip-allowed-networks',
  parent: 'service',
  identifiedBy: 'allow-ip',
  fields: {
    'allow-ip': { type: 'string', lengthMax: 255, required: true },
    'allow-netmask': { type: 'netmask', required: true },
    comment: { type: 'string' },
  },
} as const satisfies Kind
