import type { Kind } from '../../kinds/kind.ts'
import { networkGroup } from './attachment.ts'

/** Cannot be changed: another route is another object. */
export const staticRoute = {
  name: 'static-route',
  title: 'Static Route',
  description: 'A network that is reached through a gateway.',
  path: 'static-routes',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': {
      type: 'ip-address',
      version: 'ip-version',
      required: true,
      description: 'The network, or a single host.',
    },
    gateway: { type: 'ip-address', version: 'ip-version', required: true },
    netmask: { type: 'netmask', required: true },
    vsite: { ...networkGroup, required: true },
    comments: { type: 'string' },
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'] },
  },
} as const satisfies Kind
