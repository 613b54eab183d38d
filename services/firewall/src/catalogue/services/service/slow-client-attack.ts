import type { Section } from '../../../kinds/kind.ts'

export const slowClientAttack = {
  title: 'Slow Client Attack Prevention',
  description: '',
  fields: {
    'data-transfer-rate': { type: 'integer', min: 1, max: 1024, unit: 'KB/s', default: 10 },
    'exception-clients': { type: 'string' },
    'incremental-request-timeout': { type: 'integer', min: 1, max: 600, default: 30 },
    'incremental-response-timeout': { type: 'integer', min: 1, max: 600, default: 30 },
    'max-request-timeout': { type: 'integer', min: 0, max: 3600, default: 600 },
    'max-response-timeout': { type: 'integer', min: 0, max: 3600, default: 600 },
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
