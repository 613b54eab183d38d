import type { Section } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'

/** Looked for in the Referer header (RFC 9110, section 10.1.3), which clients write as they like. */
export const refererSpam = {
  title: 'Referer Spam',
  description: 'Whether requests are blocked that claim to come from pages of advertisers.',
  fields: {
    status: { type: 'on-off' },
    'custom-blocked-patterns': {
      type: 'list',
      of: { type: 'reference', to: 'bot-spam-type' },
      shownAs: 'text',
    },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024, pattern: notBlank },
      description: 'Pages that requests may come from all the same.',
    },
  },
} as const satisfies Section
