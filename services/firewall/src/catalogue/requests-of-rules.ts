import type { Field } from '../kinds/kind.ts'
import { hostMatch } from '../kinds/patterns.ts'

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
