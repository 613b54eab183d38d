import type { Field, Fields } from '../../kinds/kind.ts'
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

/** By what rules say which requests they are about, besides a URL. */

/** A host, in which "*" stands for any characters. */
export const hostOfRequests = {
  type: 'string',
  lengthMax: 128,
  pattern: hostMatch,
  description: 'A host, in which "*" stands for any characters.',
} as const satisfies Field

/** An extended match: a condition about any part of a request. */
export const extendedMatch = {
  type: 'string',
  lengthMax: 4096,
  description: 'What else has to be true of a request; "*" for nothing.',
} as const satisfies Field

/** A condition on the rest of a request whose URL is said beside it, and when it is tried. */
export const conditionFields = {
  'extended-match': {
    type: 'string',
    lengthMax: 4096,
    description: 'A condition on the rest of the request; "*" for every request.',
  },
  'extended-match-sequence': {
    type: 'integer',
    min: 0,
    max: 1000,
    description: 'The order in which extended matches of the same URL are tried.',
  },
} as const satisfies Fields
