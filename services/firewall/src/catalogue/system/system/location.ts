import type { Section } from '../../../kinds/kind.ts'

const place = { type: 'string', lengthMax: 64 } as const

export const location = {
  title: 'Location',
  description: 'Where the machine stands, for whoever has to find it.',
  fields: { country: place, rack: place, slot: place },
} as const satisfies Section
