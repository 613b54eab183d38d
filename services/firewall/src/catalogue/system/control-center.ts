import type { Kind } from '../../kinds/kind.ts'

export const controlCenter = {
  name: 'control-center',
  title: 'Cloud Control',
  description: '',
  path: 'control-center',
  fields: {
    barracuda_control_server: { type: 'string' },
    connect_mode: { type: 'choice', values: ['cloud', 'local'] },
    password: { type: 'string', writeOnly: true },
    state: { type: 'choice', values: ['connected', 'not-connected', 'not_connected'] },
    username: { type: 'string' },
    validation_token: { type: 'string' },
  },
} as const satisfies Kind
