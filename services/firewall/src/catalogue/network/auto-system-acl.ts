import type { Kind } from '../../kinds/kind.ts'

export const autoSystemAcl = {
  name: 'auto-system-acl',
  title: 'Auto System ACL',
  description: '',
  path: 'auto-system-acls',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  fields: {
    name: { type: 'string', lengthMax: 255, required: true, readOnly: true },
    'source-port': { type: 'string' },
    'acl-type': { type: 'string', readOnly: true },
    action: { type: 'string', readOnly: true },
    'destination-address': { type: 'string' },
    'destination-netmask': { type: 'netmask' },
    'destination-port': { type: 'string', readOnly: true },
    'enable-logging': { type: 'on-off' },
    interface: { type: 'string', readOnly: true },
    'ip-version': { type: 'string', readOnly: true },
    priority: { type: 'string', readOnly: true },
    protocol: { type: 'string', readOnly: true },
    'source-address': { type: 'string' },
    'source-netmask': { type: 'netmask' },
    status: { type: 'yes-no' },
    vsite: { type: 'reference', to: 'vsite', readOnly: true },
  },
} as const satisfies Kind
