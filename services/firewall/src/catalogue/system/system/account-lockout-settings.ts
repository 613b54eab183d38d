import type { Section } from '../../../kinds/kind.ts'

/** A lock is for one administrator's name and the network that the attempts came from. */
export const accountLockoutSettings = {
  title: 'Account Lockout Settings',
  description: 'When a name is locked for the address from which logins with it failed, and for how long.',
  fields: {
    'failed-login-time-threshold': {
      type: 'integer',
      min: 1,
      unit: 'minutes',
      shownAs: 'number',
      default: 15,
      description: 'Failures that are further back do not count.',
    },
    'lockout-duration': { type: 'integer', min: 1, unit: 'minutes', shownAs: 'number', default: 15 },
    'maximum-failed-login-attempts': { type: 'integer', min: 1, shownAs: 'number', default: 5 },
  },
} as const satisfies Section
