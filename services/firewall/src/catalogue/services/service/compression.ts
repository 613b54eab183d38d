import type { Section } from '../../../kinds/kind.ts'
import { mimeType } from '../../../kinds/patterns.ts'

export const compression = {
  title: 'Compression',
  description: '',
  fields: {
    'content-types': { type: 'list', of: { type: 'string', pattern: mimeType } },
    'min-size': { type: 'integer', min: 1, max: 2_147_483_646, unit: 'bytes', default: 8192 },
    status: { type: 'on-off', default: 'Off' },
    'unknown-content-types': { type: 'yes-no', default: 'No' },
  },
} as const satisfies Section
