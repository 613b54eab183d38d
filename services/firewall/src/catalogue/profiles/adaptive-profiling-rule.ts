import type { Kind } from '../../kinds/kind.ts'

export const adaptiveProfilingRule = {
  name: 'adaptive-profiling-rule',
  title: 'Adaptive Profiling Rule',
  description: '',
  path: 'adaptive-profiling-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, required: true },
    url: { type: 'string', lengthMax: 5000, required: true },
    'learn-from-request': { type: 'yes-no' },
    'learn-from-response': { type: 'yes-no' },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
