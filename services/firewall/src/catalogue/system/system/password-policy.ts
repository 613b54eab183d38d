import type { Section } from '../../../kinds/kind.ts'

export const passwordPolicy = {
  title: 'Password Policy',
  description: '',
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
    },
    'minimum-characters': { type: 'integer', min: 8, max: 50, shownAs: 'number', default: 8 },
    'notify-before-expiry': { type: 'choice', values: ['1 Week', '2 Weeks'], default: '1 Week' },
    'number-of-passwords-to-lookup': { type: 'integer', min: 1, max: 12 },
    'other-expiry-time': { type: 'integer', min: 30 },
    policy: { type: 'choice', values: ['Custom', 'Default'], default: 'Default' },
  },
} as const satisfies Section
