import type { Section } from '../../kinds/kind.ts'
import { parameterNames } from '../../kinds/patterns.ts'

/** Names in one text, with commas between them. */
export const sensitiveParameterNames = {
  title: 'Mask Sensitive Data',
  description: 'Parameters whose values are overwritten with X before a request is logged.',
  fields: {
    'sensitive-parameter-names': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 1024,
      pattern: parameterNames,
    },
  },
} as const satisfies Section
