import type { Section } from '../../../kinds/kind.ts'

/** One switch for each sort of definitions; the title is the reference's own name. */
export const energizeUpdates = {
  title: 'Energize Updates',
  description: 'Which definitions and patches the system fetches and applies by itself.',
  fields: {
    'attack-definitions-auto-update': { type: 'on-off', default: 'On' },
    'geoip-definitions-auto-update': { type: 'on-off', default: 'On' },
    'patch-application-method': {
      type: 'choice',
      values: ['Automatically', 'Disable', 'Manually'],
      description: 'How patches of the software are applied.',
    },
    'security-definitions-auto-update': { type: 'on-off', default: 'On' },
    'virus-definitions-auto-update': { type: 'on-off', default: 'On' },
  },
} as const satisfies Section

const modes = ['Active', 'Off', 'Passive'] as const

/** Holds for patterns that come later; those that are there have a mode of their own. */
export const patternMode = {
  title: 'Pattern Mode',
  description: 'What attack patterns do that come with an update: block, only log, or nothing.',
  fields: {
    'default-mode-for-new-patterns': { type: 'choice', values: modes, default: 'Passive' },
    'default-mode-for-updated-patterns': { type: 'choice', values: modes, default: 'Active' },
  },
} as const satisfies Section
