import type { Section } from '../../../kinds/kind.ts'

export const customHeaders = {
  title: 'Custom Headers',
  description: '',
  fields: {
    header1: { type: 'string', lengthMin: 1, lengthMax: 128 },
    header2: { type: 'string', lengthMin: 1, lengthMax: 128 },
    header3: { type: 'string', lengthMin: 1, lengthMax: 128 },
    header4: { type: 'string', lengthMin: 1, lengthMax: 128 },
    header5: { type: 'string', lengthMin: 1, lengthMax: 128 },
    header6: { type: 'string', lengthMin: 1, lengthMax: 128 },
  },
} as const satisfies Section
