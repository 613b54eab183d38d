import type { Section } from '../../kinds/kind.ts'
import { parameterName } from '../../kinds/patterns.ts'

/** Whether a request that rules refuse is analysed before it is. This section is our own. */
export const secondStage = {
  title: 'Second Stage',
  description:
    'Whether the values in which rules find an attack are analysed, as SQL, commands, PHP, paths and markup, before a request is refused for them.',
  fields: {
    status: {
      type: 'on-off',
      default: 'On',
      description: 'When it is off, what the rules refuse stays refused.',
    },
    'excluded-parameters': {
      type: 'list',
      of: { type: 'string', lengthMax: 256, pattern: parameterName },
      description: 'Parameters for which the rules alone decide; "*" stands for any characters.',
    },
  },
} as const satisfies Section
