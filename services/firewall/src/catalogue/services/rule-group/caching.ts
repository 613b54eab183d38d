import type { Section } from '../../../kinds/kind.ts'
import { caching as ofService } from '../service/caching.ts'

const { 'cache-negative-response': cacheNegativeResponses, ...fields } = ofService.fields

/** As a service's, but for the name of one member. */
export const caching = {
  title: 'Caching',
  description: "Which answers to the rule's requests are kept for further clients.",
  fields: { ...fields, 'cache-negative-responses': cacheNegativeResponses },
} as const satisfies Section
