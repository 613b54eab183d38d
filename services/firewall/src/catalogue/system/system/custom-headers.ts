import type { Section } from '../../../kinds/kind.ts'
import { headerName } from '../../../kinds/patterns.ts'

const header = { type: 'string', lengthMin: 1, lengthMax: 128, pattern: headerName } as const

/** The formats of access logs name the first three %cs1 to %cs3. */
export const customHeaders = {
  title: 'Custom Headers',
  description: 'Headers of requests that access logs record besides the usual ones.',
  fields: {
    header1: header,
    header2: header,
    header3: header,
    header4: header,
    header5: header,
    header6: header,
  },
} as const satisfies Section
