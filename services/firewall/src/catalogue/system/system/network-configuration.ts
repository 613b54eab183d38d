import type { Section } from '../../../kinds/kind.ts'

/** 576 bytes is what every IPv4 host takes (RFC 791, section 3.1); 1500 is what Ethernet carries. */
const mtu = { type: 'integer', min: 576, max: 1500, unit: 'bytes', default: 1500 } as const

export const networkConfiguration = {
  title: 'Network Configuration',
  description: 'How packets are treated on all interfaces.',
  fields: {
    'enable-snat-for-lan-servers': {
      type: 'yes-no',
      default: 'No',
      description: "Whether servers in the LAN call others with the system's address.",
    },
    'higher-precedence-for-acls': {
      type: 'choice',
      values: ['System', 'Vsites'],
      default: 'System',
      description: 'Whose network ACLs are asked first.',
    },
    'mtu-for-lan': mtu,
    'mtu-for-mgmt': mtu,
    'mtu-for-wan': mtu,
    'syn-guard': {
      type: 'on-off',
      default: 'On',
      description: 'Protects from floods of connections that nobody completes.',
    },
    'tcp-timestamp': { type: 'on-off', default: 'On', description: 'The option of RFC 7323.' },
  },
} as const satisfies Section
