/** Where a network interface is in its network. */
export const interfaceFields = {
  'ip-address': { type: 'ip-address', description: 'The IPv4 address.' },
  mask: { type: 'netmask' },
  'ipv6-address': { type: 'ip-address' },
  'ipv6-mask': { type: 'netmask', description: 'The length of the prefix.' },
  'vlan-id': { type: 'integer', min: 1, max: 4095, description: 'Empty, and packets have no tag.' },
} as const

/** Through whom other networks are reached. */
export const gatewayFields = {
  gateway: { type: 'ip-address', description: 'The IPv4 address of the default gateway.' },
  'ipv6-gateway': { type: 'ip-address' },
} as const

/** Whether administrators may come by an interface. */
export function administrationAccess<const Default extends 'Yes' | 'No'>(usual: Default) {
  return {
    type: 'yes-no',
    default: usual,
    description: 'Whether the web interface and the API answer here.',
  } as const
}
