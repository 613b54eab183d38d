import type { Section } from '../../../kinds/kind.ts'

export const location = {
  title: 'Location',
  description: '',
  fields: {
    country: { type: 'string', lengthMax: 64 },
    rack: { type: 'string', lengthMax: 64 },
    slot: { type: 'string', lengthMax: 64 },
  },
} as const satisfies Section
