import type { Kind } from '../../kinds/kind.ts'
import { oneLine } from '../../kinds/patterns.ts'

/** Makes browsers refuse a script or style sheet whose digest is not the expected one. */
export const subResourceIntegrity = {
  name: 'sub-resource-integrity',
  title: 'Sub Resource Integrity',
  description: 'How the digests come about that pages state for the resources they load.',
  path: 'sub-resource-integrity',
  parent: 'client-side-protection-rule',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    mode: {
      type: 'list',
      description: 'Whether the firewall computes the digests or the administrator states them.',
      of: { type: 'choice', values: ['Automatically', 'Manually'] },
    },
    url: {
      type: 'string',
      lengthMax: 5000,
      pattern: oneLine,
      description: 'The resource, as clients of the older address name it.',
    },
  },
} as const satisfies Kind
