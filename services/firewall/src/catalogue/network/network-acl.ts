import type { Kind } from '../../kinds/kind.ts'
import { objectName, portRange } from '../../kinds/patterns.ts'
import { networkGroup, networkInterfaceName } from './attachment.ts'
import { ipProtocols } from './ip-protocols.ts'

/**
 * Judges packets before any service sees them. Of the rules that are for a packet, the one with the lowest priority
 * number decides. A rule is for a packet when all that it names is so; what it leaves empty does not matter. By
 * the IP version, either the plain addresses and netmasks count or those for IPv6.
 */
export const networkAcl = {
  name: 'network-acl',
  title: 'Network ACL',
  description:
    'A rule that accepts or rejects packets by where they are from, where to, and what they carry.',
  path: 'network-acls',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: objectName, required: true },
    priority: { type: 'integer', min: 0, required: true, description: 'The lower, the earlier.' },
    action: { type: 'choice', values: ['ACCEPT', 'REJECT'] },
    comments: { type: 'string' },
    'destination-address': { type: 'ip-address' },
    'destination-netmask': { type: 'netmask' },
    'destination-port': { type: 'string', lengthMax: 11, pattern: portRange },
    'enable-logging': {
      type: 'on-off',
      description: 'Whether packets that the rule decides about are written to the network firewall log.',
    },
    'icmp-response': {
      type: 'string',
      lengthMax: 64,
      description: 'The ICMP message with which rejected packets are answered.',
    },
    interface: networkInterfaceName,
    'ip-version': { type: 'choice', values: ['IPv4', 'IPv6'] },
    'ipv6-destination-address': { type: 'ip-address' },
    'ipv6-destination-netmask': { type: 'netmask' },
    'ipv6-source-address': { type: 'ip-address' },
    'ipv6-source-netmask': { type: 'netmask' },
    'max-connections': {
      type: 'integer',
      min: 0,
      unit: 'connections',
      description: 'How many that the rule accepts may be open; 0 for any number.',
    },
    'max-half-open-connections': {
      type: 'integer',
      min: 0,
      unit: 'connections',
      description:
        'How many of them may be waiting for the client to complete its handshake; 0 for any number.',
    },
    protocol: { type: 'choice', values: ipProtocols },
    'source-address': { type: 'ip-address' },
    'source-netmask': { type: 'netmask' },
    'source-port': { type: 'string', lengthMax: 11, pattern: portRange },
    status: { type: 'yes-no', description: 'Whether the rule is in force.' },
    vsite: networkGroup,
  },
} as const satisfies Kind
