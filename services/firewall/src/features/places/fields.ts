import type { Fields } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** Which requests an object is about, in kinds of our own. */
export const placeFields = {
  host: {
    type: 'string',
    lengthMax: 256,
    pattern: hostMatch,
    default: '*',
    description: 'Requests for which hosts; "*" stands for any characters.',
  },
  url: {
    type: 'string',
    lengthMax: 5000,
    pattern: urlMatch,
    required: true,
    description: 'Requests for which paths; "*" stands for any characters.',
  },
} as const satisfies Fields
