import type { Kind } from '../../kinds/kind.ts'

export const staticRoute = {
  name: 'static-route',
  title: 'Static Route',
  description: '',
  path: 'static-routes',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    gateway: { type: 'string', required: true },
    netmask: { type: 'netmask', required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'] },
  },
} as const satisfies Kind
