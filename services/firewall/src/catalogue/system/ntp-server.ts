import type { Kind } from '../../kinds/kind.ts'

export const ntpServer = {
  name: 'ntp-server',
  title: 'NTP Server',
  description: '',
  path: 'ntp-servers',
  parent: 'system',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'ip-address': { type: 'ip-address', required: true },
    description: { type: 'string' },
  },
} as const satisfies Kind
