import type { Fields } from '../../kinds/kind.ts'

/** What a client of RADIUS (RFC 2865) has to know of a server. */
export const radiusClientFields = {
  'ip-address': { type: 'ip-address', required: true },
  port: { type: 'integer', min: 1, max: 65_535, description: 'The UDP port.' },
  retries: {
    type: 'integer',
    min: 0,
    max: 10,
    description: 'How often a request without an answer is sent again before the server counts as down.',
  },
  'shared-secret': {
    type: 'string',
    lengthMin: 6,
    lengthMax: 128,
    required: true,
    writeOnly: true,
    sentTo: ['ip-address', 'port'],
    description: 'Known to both sides; hides passwords on the way and proves who answers.',
  },
  timeout: {
    type: 'integer',
    min: 1,
    max: 30,
    unit: 'seconds',
    description: 'How long one answer may take.',
  },
} as const satisfies Fields
