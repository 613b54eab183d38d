import type { Kind } from '../../kinds/kind.ts'
import { hostOrAddress } from '../../kinds/patterns.ts'

/** The members are called with underscores, unlike those of every other kind. */
export const controlCenter = {
  name: 'control-center',
  title: 'Cloud Control',
  description: 'The server from which several systems are managed at once.',
  path: 'control-center',
  shownFlat: true,
  fields: {
    barracuda_control_server: { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    connect_mode: {
      type: 'choice',
      values: ['cloud', 'local'],
      description: "Whether the managing server is the vendor's, or one of one's own.",
    },
    password: { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['barracuda_control_server'] },
    state: {
      type: 'choice',
      values: ['connected', 'not-connected', 'not_connected'],
      description: 'Set it to connect or to disconnect.',
    },
    username: { type: 'string', lengthMax: 255 },
    validation_token: {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['barracuda_control_server'],
      description: "What the server knows the system by when it first connects to one's own server.",
    },
  },
} as const satisfies Kind
