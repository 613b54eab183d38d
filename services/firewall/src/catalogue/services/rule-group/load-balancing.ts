import type { Section } from '../../../kinds/kind.ts'
import { loadBalancing as ofService } from '../service/load-balancing.ts'

const { algorithm, ...fields } = ofService.fields

/** As a service's, but for the name of one member. */
export const loadBalancing = {
  title: 'Load Balancing',
  description: "How the rule's requests are spread over its servers.",
  fields: { 'lb-algorithm': algorithm, ...fields },
} as const satisfies Section
