import type { Kind } from '../../kinds/kind.ts'
import { hostOrAddress } from '../../kinds/patterns.ts'

/** Cannot be changed: another server is another object. */
export const ntpServer = {
  name: 'ntp-server',
  title: 'NTP Server',
  description: 'A time server by which the system sets its clock.',
  path: 'ntp-servers',
  parent: 'system',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'ip-address': {
      type: 'string',
      lengthMax: 512,
      pattern: hostOrAddress,
      required: true,
      description: 'The address of the server, or its host name.',
    },
    description: { type: 'string', lengthMax: 1024 },
  },
} as const satisfies Kind
