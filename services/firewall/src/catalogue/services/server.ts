import type { Kind } from '../../kinds/kind.ts'
import { hostName, objectNameWithColons } from '../../kinds/patterns.ts'
import { advancedConfiguration } from './server/advanced-configuration.ts'
import { applicationLayerHealthChecks } from './server/application-layer-health-checks.ts'
import { connectionPooling } from './server/connection-pooling.ts'
import { inBandHealthChecks } from './server/in-band-health-checks.ts'
import { loadBalancing } from './server/load-balancing.ts'
import { outOfBandHealthChecks } from './server/out-of-band-health-checks.ts'
import { sslPolicy } from './server/ssl-policy.ts'

export const server = {
  name: 'server',
  title: 'Server',
  description: '',
  path: 'servers',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: objectNameWithColons, required: true },
    'address-version': { type: 'choice', values: ['IPv4', 'IPv6'], createOnly: true, default: 'IPv4' },
    comments: { type: 'string' },
    hostname: { type: 'string', pattern: hostName },
    identifier: { type: 'choice', values: ['IP Address', 'Hostname'], default: 'IP Address' },
    'ip-address': { type: 'ip-address' },
    port: { type: 'integer', min: 0, max: 65_535, default: 80 },
    'resolved-ips': { type: 'string', readOnly: true },
    status: {
      type: 'choice',
      values: ['In Service', 'Out of Service Maintenance', 'Out of Service Sticky', 'Out of Service All'],
      default: 'In Service',
    },
  },
  sections: {
    'advanced-configuration': advancedConfiguration,
    'application-layer-health-checks': applicationLayerHealthChecks,
    'connection-pooling': connectionPooling,
    'in-band-health-checks': inBandHealthChecks,
    'load-balancing': loadBalancing,
    'out-of-band-health-checks': outOfBandHealthChecks,
    'ssl-policy': sslPolicy,
  },
} as const satisfies Kind
