import type { ReferenceField } from '../../kinds/kind.ts'

/** A port of the machine, several bonded into one, or a VLAN on either. */
export const networkInterfaceName = {
  type: 'reference',
  to: ['network-interface', 'bond', 'network-vlan'],
} as const satisfies ReferenceField

/**
 * The part of the network that a setting is for: that of the services of a vsite, that of the administrators
 * (Management), or what the parts have in common (System), which counts where a vsite says nothing.
 */
export const networkGroup = {
  type: 'reference',
  to: 'vsite',
  orOneOf: ['Management', 'System'],
} as const satisfies ReferenceField
