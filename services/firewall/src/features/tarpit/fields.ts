import type { Section } from '../../kinds/kind.ts'

/** Has no switch: the follow-up action "Tarpit Client" of an action policy sends clients there. */
export const tarpitProfile = {
  title: 'Tarpit Profile',
  description: 'Says how much a client is slowed that an action policy sends to the tarpit.',
  fields: {
    'backlog-requests-limit': {
      type: 'integer',
      min: 0,
      max: 100,
      description: 'How many requests of the client wait; further ones are dropped.',
    },
    'tarpit-delay-interval': {
      type: 'integer',
      min: 5,
      max: 299,
      unit: 'seconds',
      description: 'How long each request waits.',
    },
    'tarpit-inactivity-timeout': {
      type: 'integer',
      min: 300,
      max: 36_000,
      unit: 'seconds',
      description: 'How long a client has to be silent to be let out.',
    },
  },
} as const satisfies Section
