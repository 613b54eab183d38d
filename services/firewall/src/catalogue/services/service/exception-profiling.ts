import type { Section } from '../../../kinds/kind.ts'

export const exceptionProfiling = {
  title: 'Exception Profiling',
  description: '',
  fields: {
    'exception-profiling-learn-from-trusted-host': { type: 'yes-no', default: 'No' },
    'exception-profiling-level': {
      type: 'choice',
      values: ['None', 'Low', 'Medium', 'High'],
      default: 'None',
    },
    'exception-profiling-trusted-host-group': { type: 'string' },
  },
} as const satisfies Section
