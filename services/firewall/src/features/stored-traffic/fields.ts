import type { Section } from '../../kinds/kind.ts'

/** By consent only: requests hold what users type. This section is our own. */
export const storedTraffic = {
  title: 'Stored Traffic',
  description:
    'Whether a sample of the requests is kept, with secrets masked, so that exceptions and policies can be tried against it before they count.',
  fields: {
    status: {
      type: 'on-off',
      default: 'Off',
      description: 'When it is switched off, what was kept is deleted.',
    },
    'ordinary-requests': {
      type: 'integer',
      min: 1,
      max: 100_000,
      default: 100,
      description:
        'Of so many requests in which nothing is found, one is kept; of refused ones as many as there is room for.',
    },
    'max-body-kilobytes': {
      type: 'integer',
      min: 0,
      max: 256,
      default: 32,
      description: 'Requests with longer bodies are not kept.',
    },
    'max-kilobytes': {
      type: 'integer',
      min: 64,
      max: 65_536,
      default: 4_096,
      description:
        'How much is kept of this service; half of it is for refused requests, and the oldest go first.',
    },
    'max-days': {
      type: 'integer',
      min: 1,
      max: 30,
      default: 7,
      description: 'How long requests are kept.',
    },
  },
} as const satisfies Section
