import type { Section } from '../../../kinds/kind.ts'

export const connectionPooling = {
  title: 'Connection Pooling',
  description: '',
  fields: {
    'enable-connection-pooling': { type: 'yes-no', default: 'Yes' },
    'keepalive-timeout': { type: 'integer', min: 0, max: 86_400_000, default: 900_000 },
  },
} as const satisfies Section
