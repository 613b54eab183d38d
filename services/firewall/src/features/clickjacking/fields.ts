import type { Section } from '../../kinds/kind.ts'
import { absoluteUrl } from '../../kinds/patterns.ts'

/** Proxies say it to browsers in headers of answers; `allowed-origin` counts with the option "Allowed Origin" alone. */
export const clickjacking = {
  title: 'Clickjacking',
  description: 'Which other pages may show those of the service inside them.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    options: {
      type: 'choice',
      values: ['Never', 'Same Origin', 'Allowed Origin'],
      default: 'Same Origin',
    },
    'allowed-origin': {
      type: 'string',
      lengthMax: 128,
      pattern: absoluteUrl,
      description: 'Whose pages may, with the option of that name.',
    },
  },
} as const satisfies Section
