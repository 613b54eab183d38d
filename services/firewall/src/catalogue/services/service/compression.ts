import type { Section } from '../../../kinds/kind.ts'
import { mimeType } from '../../../kinds/patterns.ts'

export const compression = {
  title: 'Compression',
  description: 'Which answers are sent compressed to clients that can read them so.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'content-types': { type: 'list', of: { type: 'string', lengthMax: 256, pattern: mimeType } },
    'unknown-content-types': { type: 'yes-no', default: 'No' },
    'min-size': {
      type: 'integer',
      min: 1,
      max: 2_147_483_646,
      unit: 'bytes',
      default: 8192,
      description: 'Smaller answers are sent as they are.',
    },
  },
} as const satisfies Section
