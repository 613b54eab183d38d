import type { Section } from '../../../kinds/kind.ts'
import { fileExtension } from '../../../kinds/patterns.ts'

export const caching = {
  title: 'Caching',
  description: '',
  fields: {
    'cache-negative-responses': { type: 'yes-no', default: 'No' },
    'expiry-age': { type: 'integer', min: 0, max: 525_600, unit: 'minutes', default: 60 },
    'file-extensions': { type: 'list', of: { type: 'string', pattern: fileExtension } },
    'ignore-request-headers': { type: 'yes-no', default: 'No' },
    'ignore-response-headers': { type: 'yes-no', default: 'No' },
    'max-size': { type: 'integer', min: 0, max: 6656, unit: 'KB', default: 256 },
    'min-size': { type: 'integer', min: 0, max: 6_815_744, unit: 'bytes', default: 256 },
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
