import type { Section } from '../../../kinds/kind.ts'
import { compression as ofService } from '../service/compression.ts'

const { 'unknown-content-types': compressUnknownContentTypes, ...fields } = ofService.fields

/** As a service's, but for the name of one member. */
export const compression = {
  title: 'Compression',
  description: "Which answers to the rule's requests are sent compressed.",
  fields: { ...fields, 'compress-unknown-content-types': compressUnknownContentTypes },
} as const satisfies Section
