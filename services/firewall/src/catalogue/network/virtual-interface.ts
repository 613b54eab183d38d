import type { Kind } from '../../kinds/kind.ts'
import { networkGroup, networkInterfaceName } from './attachment.ts'

/** Cannot be changed: another address is another object. */
export const virtualInterface = {
  name: 'virtual-interface',
  title: 'Virtual Interface',
  description: 'A further address of an interface, from which the firewall speaks to that network.',
  path: 'virtual-interfaces',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'ip-address', version: 'ip-version', required: true },
    interface: { ...networkInterfaceName, required: true },
    netmask: { type: 'netmask', required: true },
    comments: { type: 'string' },
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'] },
    'virtual-ip-service-id': {
      type: 'string',
      lengthMax: 255,
      description: "The address's id where a cloud or a cluster manages it.",
    },
    vsite: networkGroup,
  },
} as const satisfies Kind
