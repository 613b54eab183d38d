import type { Section } from '../../../kinds/kind.ts'

/** The default policy is the least number of characters; everything else counts where the policy is Custom. */
export const passwordPolicy = {
  title: 'Password Policy',
  description: "What administrators' passwords have to be like, and how long they last.",
  fields: {
    contains: {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'Atleast One Digit',
          'Atleast One Lower Case Character',
          'Atleast One Special Character',
          'Atleast One Upper Case Character',
        ],
      },
    },
    'expiry-time': {
      type: 'choice',
      values: ['1 Year', '3 Months', '6 Months', 'Never', 'Other'],
      default: 'Never',
      description: 'How long a password lasts; Other means as long as other-expiry-time says.',
    },
    'minimum-characters': { type: 'integer', min: 8, max: 50, shownAs: 'number', default: 8 },
    'notify-before-expiry': { type: 'choice', values: ['1 Week', '2 Weeks'], default: '1 Week' },
    'number-of-passwords-to-lookup': {
      type: 'integer',
      min: 1,
      max: 12,
      description: 'How many earlier passwords may not be taken again. Empty, and all may.',
    },
    'other-expiry-time': { type: 'integer', min: 30, unit: 'days' },
    policy: { type: 'choice', values: ['Custom', 'Default'], default: 'Default' },
  },
} as const satisfies Section
