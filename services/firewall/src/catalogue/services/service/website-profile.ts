import type { Section } from '../../../kinds/kind.ts'
import { hostMatch } from '../../../kinds/patterns.ts'

export const websiteProfile = {
  title: 'Website Profile',
  description: '',
  fields: {
    'allowed-domains': { type: 'list', of: { type: 'string', pattern: hostMatch } },
    'exclude-url-patterns': {
      type: 'list',
      of: { type: 'string' },
      default: [
        '*.jpg',
        '*.png',
        '*.gif',
        '*.tiff',
        '/images/*',
        '*.ico',
        '*.img',
        '*.swf',
        '*.jpeg',
        '*.js',
        '*.css',
      ],
    },
    'include-url-patterns': { type: 'list', of: { type: 'string' } },
    mode: { type: 'choice', values: ['Learning', 'Passive', 'Active'], default: 'Passive' },
    'strict-profile-check': { type: 'yes-no', default: 'No' },
    'use-profile': { type: 'yes-no', default: 'Yes' },
  },
} as const satisfies Section
