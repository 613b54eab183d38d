import type { Kind } from '../../kinds/kind.ts'
import { portRange } from '../../kinds/patterns.ts'
import { networkGroup, networkInterfaceName } from './attachment.ts'
import { ipProtocols } from './ip-protocols.ts'

/**
 * The rules about packets that keep the machine itself reachable and closed: names are looked up, administrators
 * get in, and whatever no other rule has accepted gets nowhere. Administrators may narrow them, log them or switch
 * them off; network ACLs are the rules of their own.
 */
export const autoSystemAcl = {
  name: 'auto-system-acl',
  title: 'Auto System ACL',
  description: 'A rule about packets that the firewall has by itself, for its own traffic.',
  path: 'auto-system-acls',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  fields: {
    name: { type: 'string', lengthMax: 255, readOnly: true },
    'source-port': { type: 'string', lengthMax: 11, pattern: portRange },
    'acl-type': { type: 'string', readOnly: true, description: 'What the rule is there for.' },
    action: { type: 'choice', values: ['ACCEPT', 'REJECT'], readOnly: true },
    'destination-address': { type: 'ip-address', version: 'ip-version' },
    'destination-netmask': { type: 'netmask' },
    'destination-port': { type: 'string', readOnly: true },
    'enable-logging': {
      type: 'on-off',
      description: 'Whether packets that the rule decides about are written to the network firewall log.',
    },
    interface: { ...networkInterfaceName, readOnly: true },
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'], readOnly: true },
    priority: { type: 'integer', readOnly: true, description: 'The lower, the earlier.' },
    protocol: { type: 'choice', values: ipProtocols, readOnly: true },
    'source-address': { type: 'ip-address', version: 'ip-version' },
    'source-netmask': { type: 'netmask' },
    status: { type: 'yes-no', description: 'Whether the rule is in force.' },
    vsite: { ...networkGroup, readOnly: true },
  },
  factory: [
    {
      path: ['allow-dns'],
      fields: {
        'acl-type': 'Name resolution',
        action: 'ACCEPT',
        'destination-port': '53',
        'ip-version': 'IPv4',
        priority: 10,
        protocol: 'UDP(17)',
        vsite: 'System',
      },
    },
    {
      path: ['allow-administration-http'],
      fields: {
        'acl-type': 'Administration',
        action: 'ACCEPT',
        'destination-port': '8000',
        'ip-version': 'IPv4',
        priority: 20,
        protocol: 'TCP(6)',
        vsite: 'Management',
      },
    },
    {
      path: ['allow-administration-https'],
      fields: {
        'acl-type': 'Administration',
        action: 'ACCEPT',
        'destination-port': '8443',
        'ip-version': 'IPv4',
        priority: 30,
        protocol: 'TCP(6)',
        vsite: 'Management',
      },
    },
    {
      path: ['deny-management'],
      fields: {
        'acl-type': 'Everything else',
        action: 'REJECT',
        interface: 'MGMT',
        'ip-version': 'IPv4',
        priority: 1000,
        protocol: 'ALL-PROTOCOLS',
        vsite: 'Management',
      },
    },
    {
      path: ['deny-wan'],
      fields: {
        'acl-type': 'Everything else',
        action: 'REJECT',
        interface: 'WAN',
        'ip-version': 'IPv4',
        priority: 1010,
        protocol: 'ALL-PROTOCOLS',
        vsite: 'System',
      },
    },
  ],
} as const satisfies Kind
