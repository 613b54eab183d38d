import type { Section } from '../../kinds/kind.ts'

/** How often a violation has to be seen at each level is said by the exception heuristics of the system. */
export const exceptionProfiling = {
  title: 'Exception Profiling',
  description: 'Whether rules are loosened that harmless requests break again and again.',
  fields: {
    'exception-profiling-level': {
      type: 'choice',
      values: ['None', 'Low', 'Medium', 'High'],
      default: 'None',
      description: 'How soon.',
    },
    'exception-profiling-learn-from-trusted-host': { type: 'yes-no', default: 'No' },
    'exception-profiling-trusted-host-group': { type: 'reference', to: 'trusted-host-group' },
  },
} as const satisfies Section
