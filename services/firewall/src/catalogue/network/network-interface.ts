import type { Kind } from '../../kinds/kind.ts'

/**
 * A port of the machine. Which there are is a matter of the machine, so they are neither created nor deleted.
 * Speed and duplexity count only when they are not negotiated.
 */
export const networkInterface = {
  name: 'network-interface',
  title: 'Network Interface',
  description:
    'A network port of the machine: WAN faces the clients, LAN the servers, MGMT the administrators.',
  path: 'network-interfaces',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  operational: true,
  fields: {
    name: { type: 'string', lengthMax: 64, readOnly: true },
    duplexity: { type: 'choice', values: ['Full Duplex', 'Half Duplex'] },
    speed: { type: 'choice', values: ['10 Mbps', '100 Mbps', '1000 Mbps', '10000 Mbps'] },
    'auto-negotiation-status': {
      type: 'on-off',
      description: 'Whether speed and duplexity are agreed upon with the other end of the cable.',
    },
  },
  factory: [{ path: ['WAN'] }, { path: ['LAN'] }, { path: ['MGMT'] }],
} as const satisfies Kind
