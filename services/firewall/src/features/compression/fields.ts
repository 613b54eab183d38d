import type { Section } from '../../kinds/kind.ts'
import { mimeType } from '../../kinds/patterns.ts'

/** Of a service. */
export const serviceCompression = {
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

const { 'unknown-content-types': compressUnknownContentTypes, ...shared } = serviceCompression.fields

/** Of a content rule: as a service's, but for the name of one member. */
export const contentRuleCompression = {
  title: 'Compression',
  description: "Which answers to the rule's requests are sent compressed.",
  fields: { ...shared, 'compress-unknown-content-types': compressUnknownContentTypes },
} as const satisfies Section
