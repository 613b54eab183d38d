import type { Section } from '../../kinds/kind.ts'
import { hostMatch, notBlank } from '../../kinds/patterns.ts'

const urlPatterns = { type: 'list', of: { type: 'string', lengthMax: 1024, pattern: notBlank } } as const

/** Allowed domains are hosts that profiles are for; for any when empty. */
export const websiteProfile = {
  title: 'Website Profile',
  description: 'Whether requests have to look as the URL and parameter profiles of the service say.',
  fields: {
    'use-profile': { type: 'yes-no', default: 'Yes' },
    mode: {
      type: 'choice',
      values: ['Learning', 'Passive', 'Active'],
      default: 'Passive',
      description: 'Passive logs what Active would block; Learning makes profiles of it.',
    },
    'strict-profile-check': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether requests are violations for which there is no profile.',
    },
    'allowed-domains': { type: 'list', of: { type: 'string', lengthMax: 128, pattern: hostMatch } },
    'exclude-url-patterns': {
      ...urlPatterns,
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
      description: 'URLs that the profiles are not for.',
    },
    'include-url-patterns': {
      ...urlPatterns,
      description: 'URLs that the profiles are for, though the patterns above fit them.',
    },
  },
} as const satisfies Section
