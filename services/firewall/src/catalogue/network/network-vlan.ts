import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'
import { networkGroup } from './attachment.ts'

/** A virtual LAN (IEEE 802.1Q). Its name can stand wherever that of an interface can. */
export const networkVlan = {
  name: 'network-vlan',
  title: 'Network VLAN',
  description: 'A tagged network that shares an interface with others.',
  path: 'vlans',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    interface: { type: 'reference', to: ['network-interface', 'bond'], required: true },
    'vlan-id': {
      type: 'integer',
      min: 1,
      max: 4095,
      required: true,
      description: 'The tag of its frames; switches keep 4095 for themselves.',
    },
    vsite: { ...networkGroup, required: true },
    comments: { type: 'string' },
  },
} as const satisfies Kind
