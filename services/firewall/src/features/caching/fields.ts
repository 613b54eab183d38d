import type { Section } from '../../kinds/kind.ts'
import { fileExtension } from '../../kinds/patterns.ts'

/** Of a service. */
export const serviceCaching = {
  title: 'Caching',
  description: 'Which answers of the servers are kept for further clients.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'file-extensions': { type: 'list', of: { type: 'string', lengthMax: 64, pattern: fileExtension } },
    'min-size': { type: 'integer', min: 0, max: 6_815_744, unit: 'bytes', default: 256 },
    'max-size': { type: 'integer', min: 0, max: 6656, unit: 'KB', default: 256 },
    'expiry-age': {
      type: 'integer',
      min: 0,
      max: 525_600,
      unit: 'minutes',
      default: 60,
      description: 'How long an answer is kept that does not say itself.',
    },
    'cache-negative-response': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether errors are kept, too.',
    },
    'ignore-request-headers': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether clients that want a fresh answer get one from the cache.',
    },
    'ignore-response-headers': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether answers are kept whose server forbids it.',
    },
  },
} as const satisfies Section

const { 'cache-negative-response': cacheNegativeResponses, ...shared } = serviceCaching.fields

/** Of a content rule: as a service's, but for the name of one member. */
export const contentRuleCaching = {
  title: 'Caching',
  description: "Which answers to the rule's requests are kept for further clients.",
  fields: { ...shared, 'cache-negative-responses': cacheNegativeResponses },
} as const satisfies Section
