import type { Section } from '../../../kinds/kind.ts'
import { hostOrAddress } from '../../../kinds/patterns.ts'

/** At most two resolvers, by address. */
export const dns = {
  title: 'DNS',
  description: 'The DNS servers that the system asks.',
  fields: {
    'primary-dns-server': { type: 'ip-address' },
    'secondary-dns-server': {
      type: 'ip-address',
      description: 'Asked when the primary one does not answer.',
    },
  },
} as const satisfies Section

/** Where a network interface is in its network. */
const interfaceFields = {
  'ip-address': { type: 'ip-address', description: 'The IPv4 address.' },
  mask: { type: 'netmask' },
  'ipv6-address': { type: 'ip-address' },
  'ipv6-mask': { type: 'netmask', description: 'The length of the prefix.' },
  'vlan-id': { type: 'integer', min: 1, max: 4095, description: 'Empty, and packets have no tag.' },
} as const

/** Through whom other networks are reached. */
const gatewayFields = {
  gateway: { type: 'ip-address', description: 'The IPv4 address of the default gateway.' },
  'ipv6-gateway': { type: 'ip-address' },
} as const

/** Whether administrators may come by an interface. */
function administrationAccess<const Default extends 'Yes' | 'No'>(usual: Default) {
  return {
    type: 'yes-no',
    default: usual,
    description: 'Whether the web interface and the API answer here.',
  } as const
}

/** Has no gateway, and lets no administrators in unless it is told to. */
export const lanConfiguration = {
  title: 'LAN Configuration',
  description: 'The interface to the network in which the protected servers are.',
  fields: {
    ...interfaceFields,
    'allow-administration-access': administrationAccess('No'),
  },
} as const satisfies Section

/** Lets no administrators in unless it is told to. */
export const managementConfiguration = {
  title: 'Management Configuration',
  description: 'The interface that carries no traffic of users, for administrators alone.',
  fields: {
    ...interfaceFields,
    ...gatewayFields,
    'allow-administration-access': administrationAccess('No'),
  },
} as const satisfies Section

/** Lets administrators in, unless it is told otherwise. */
export const wanConfiguration = {
  title: 'WAN Configuration',
  description: 'The interface to the network from which users come.',
  fields: {
    ...interfaceFields,
    ...gatewayFields,
    'allow-administration-access': administrationAccess('Yes'),
  },
} as const satisfies Section

/** 576 bytes is what every IPv4 host takes (RFC 791, section 3.1); 1500 is what Ethernet carries. */
const mtu = { type: 'integer', min: 576, max: 1500, unit: 'bytes', default: 1500 } as const

/** What holds for every interface; each one's addresses are in a section of its own. */
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

/** Where somebody else's machine is, and as whom the system logs in there. */
const loginFields = {
  password: { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['server', 'port'] },
  port: { type: 'integer', min: 1, max: 65_535 },
  server: { type: 'string', lengthMax: 255, pattern: hostOrAddress },
  username: { type: 'string', lengthMax: 255 },
} as const

/** Another server or port needs the password once more. */
export const proxyServer = {
  title: 'Proxy Server',
  description: 'The proxy through which the system itself calls others: for updates and cloud services.',
  fields: loginFields,
} as const satisfies Section

/** Another server or port needs the password once more. */
export const ngFirewall = {
  title: 'NG Firewall',
  description: 'The network firewall that is told whom to block.',
  fields: loginFields,
} as const satisfies Section
