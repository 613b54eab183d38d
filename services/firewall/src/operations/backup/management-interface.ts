import type { KeptParts } from '../../transfer/plan-import.ts'

/** How the management interface is reached: what a restored backup leaves as it is, when it is told to. */
export const managementInterface: KeptParts = {
  kinds: new Set([
    'network-interface',
    'network-vlan',
    'interface-route',
    'static-route',
    'network-acl',
    'admin-ip-range',
  ]),
  sections: {
    system: ['wan-configuration', 'lan-configuration', 'management-configuration', 'network-configuration'],
  },
}
