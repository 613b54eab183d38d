import type { Kind } from '../../kinds/kind.ts'

export const subResourceIntegrity = {
  name: 'sub-resource-integrity',
  title: 'Sub Resource Integrity',
  description: '',
  path: 'sub-resource-integrity',
  parent: 'client-side-protection-rule',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    mode: { type: 'list', of: { type: 'choice', values: ['Automatically', 'Manually'] } },
  },
} as const satisfies Kind
