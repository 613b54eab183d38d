import type { Section } from '../../../kinds/kind.ts'

export const connectionPooling = {
  title: 'Connection Pooling',
  description: 'Whether connections to the server are kept for the requests of other clients.',
  fields: {
    'enable-connection-pooling': { type: 'yes-no', default: 'Yes' },
    'keepalive-timeout': {
      type: 'integer',
      min: 0,
      max: 86_400_000,
      default: 900_000,
      unit: 'milliseconds',
      description: 'How long a connection may be idle before it is closed.',
    },
  },
} as const satisfies Section
