import type { Section } from '../../../kinds/kind.ts'

export const accountLockoutSettings = {
  title: 'Account Lockout Settings',
  description: '',
  fields: {
    'failed-login-time-threshold': {
      type: 'integer',
      min: 1,
      unit: 'minutes',
      shownAs: 'number',
      default: 15,
    },
    'lockout-duration': { type: 'integer', min: 1, unit: 'minutes', shownAs: 'number', default: 15 },
    'maximum-failed-login-attempts': { type: 'integer', min: 1, shownAs: 'number', default: 5 },
  },
} as const satisfies Section
