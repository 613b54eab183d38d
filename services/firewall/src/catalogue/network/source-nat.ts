import type { Kind } from '../../kinds/kind.ts'
import { addressOrRange, portRange } from '../../kinds/patterns.ts'
import { networkInterfaceName } from './attachment.ts'

/** Hides the addresses of servers when they open connections to the outside. */
export const sourceNat = {
  name: 'source-nat',
  title: 'Source NAT',
  description: 'A rule that gives packets leaving through an interface another source address.',
  path: 'source-nats',
  identifiedBy: 'pre-source-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'pre-source-address': {
      type: 'ip-address',
      required: true,
      description: 'The network or host whose packets are changed.',
    },
    'outgoing-interface': { ...networkInterfaceName, required: true },
    'post-source-address': {
      type: 'string',
      lengthMax: 255,
      pattern: addressOrRange,
      required: true,
      description: 'The source address that the packets get; those of a range are taken in turn.',
    },
    'pre-source-netmask': { type: 'netmask', required: true },
    protocol: { type: 'choice', values: ['Any', 'TCP', 'TCP/UDP', 'UDP'], required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
    'destination-port': {
      type: 'string',
      lengthMax: 11,
      pattern: portRange,
      description: 'Only packets to these ports are changed; when empty, those to any.',
    },
  },
} as const satisfies Kind
