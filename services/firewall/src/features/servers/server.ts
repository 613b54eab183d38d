import type { Kind } from '../../kinds/kind.ts'
import { hostName, objectNameWithColons } from '../../kinds/patterns.ts'
import {
  applicationLayerHealthChecks,
  inBandHealthChecks,
  outOfBandHealthChecks,
} from '../server-health/fields.ts'
import { sslPolicy } from '../server-tls/fields.ts'
import { connectionPooling, serverConnections, serverWeight } from './fields.ts'

/**
 * A machine behind the firewall that answers the requests to a service. Taken out of service it ends what it was
 * doing at once ("All"), after the running requests ("Maintenance"), or goes on for the clients that are bound to
 * it ("Sticky").
 */
export const server = {
  name: 'server',
  title: 'Server',
  description: 'A machine that answers the requests to a service.',
  path: 'servers',
  parent: 'service',
  identifiedBy: 'name',
  shownInParent: true,
  operational: true,
  emptyGroups: ['Redirect'],
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: objectNameWithColons, required: true },
    identifier: {
      type: 'choice',
      values: ['IP Address', 'Hostname'],
      default: 'IP Address',
      description: 'Which of the two members below says where the server is.',
    },
    'ip-address': { type: 'ip-address', version: 'address-version' },
    hostname: { type: 'string', lengthMax: 253, pattern: hostName },
    'address-version': {
      type: 'choice',
      values: ['IPv4', 'IPv6'],
      createOnly: true,
      default: 'IPv4',
      administrative: true,
    },
    port: { type: 'integer', min: 0, max: 65_535, default: 80 },
    status: {
      type: 'choice',
      values: ['In Service', 'Out of Service Maintenance', 'Out of Service Sticky', 'Out of Service All'],
      default: 'In Service',
    },
    comments: { type: 'string' },
    ...serverWeight.fields,
    'resolved-ips': {
      type: 'string',
      readOnly: true,
      description: 'Always empty: proxies look host names up, and do not tell what they find.',
    },
  },
  sections: {
    'advanced-configuration': serverConnections,
    'application-layer-health-checks': applicationLayerHealthChecks,
    'connection-pooling': connectionPooling,
    'in-band-health-checks': inBandHealthChecks,
    'load-balancing': serverWeight,
    'out-of-band-health-checks': outOfBandHealthChecks,
    'ssl-policy': sslPolicy,
  },
} as const satisfies Kind
