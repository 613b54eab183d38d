import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** Has an effect only while Adaptive Profiling of the service is on. */
export const adaptiveProfilingRule = {
  name: 'adaptive-profiling-rule',
  title: 'Adaptive Profiling Rule',
  description: 'Which part of the application profiles are learned from, and from which traffic.',
  path: 'adaptive-profiling-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, pattern: hostMatch, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'learn-from-request': { type: 'yes-no' },
    'learn-from-response': { type: 'yes-no' },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
