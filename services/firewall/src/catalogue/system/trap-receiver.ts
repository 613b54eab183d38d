import type { Kind } from '../../kinds/kind.ts'

/** Cannot be changed: another receiver is another object. */
export const trapReceiver = {
  name: 'trap-receiver',
  title: 'Trap Receivers',
  description: 'A machine to which the system sends SNMP traps.',
  path: 'trap-receivers',
  parent: 'system',
  identifiedBy: 'ip-address',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    'ip-address': { type: 'ip-address', required: true },
    'community-string': {
      type: 'string',
      lengthMax: 255,
      required: true,
      writeOnly: true,
      sentTo: ['ip-address', 'port'],
      description: 'What the receiver knows the system by.',
    },
    port: { type: 'integer', min: 1, max: 65_535, required: true },
  },
} as const satisfies Kind
