import type { Kind } from '../../kinds/kind.ts'

export const whitelistedBot = {
  name: 'whitelisted-bot',
  title: 'Whitelisted Bot',
  description: '',
  path: 'whitelisted-bots',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'user-agent': { type: 'string', lengthMax: 4096, required: true },
    host: { type: 'list', of: { type: 'string' } },
    identifier: { type: 'choice', values: ['Host', 'IP Addresses'] },
    'ip-address': { type: 'ip-address' },
  },
} as const satisfies Kind
