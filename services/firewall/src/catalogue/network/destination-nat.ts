import type { Kind } from '../../kinds/kind.ts'
import { addressOrRange, portRange } from '../../kinds/patterns.ts'
import { networkInterfaceName } from './attachment.ts'

/** Lets a host behind the firewall be reached without a service in between: nothing of the traffic is inspected. */
export const destinationNat = {
  name: 'destination-nat',
  title: 'Destination NAT',
  description: 'A rule that sends packets arriving at an interface on to another address.',
  path: 'destination-nats',
  identifiedBy: 'pre-destination-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'pre-destination-address': {
      type: 'ip-address',
      required: true,
      description: 'The network or host to which the packets were sent.',
    },
    'incoming-interface': { ...networkInterfaceName, required: true },
    'post-destination-address': {
      type: 'string',
      lengthMax: 255,
      pattern: addressOrRange,
      required: true,
      description: 'The address to which they are sent on; those of a range are taken in turn.',
    },
    'pre-destination-netmask': { type: 'netmask', required: true },
    protocol: { type: 'choice', values: ['Any', 'TCP', 'TCP/UDP', 'UDP'], required: true },
    vsite: { type: 'reference', to: 'vsite', required: true },
    comments: { type: 'string' },
    'pre-destination-port': {
      type: 'string',
      lengthMax: 11,
      pattern: portRange,
      description: 'Only packets to these ports are sent on; when empty, those to any.',
    },
  },
} as const satisfies Kind
