import type { Section } from '../../../kinds/kind.ts'
import { hostAndPort, oneLine, urlMatch } from '../../../kinds/patterns.ts'

/** A server without a URL here is not asked. */
export const applicationLayerHealthChecks = {
  title: 'Application Layer Health Checks',
  description: 'A request that a healthy server answers as described.',
  fields: {
    url: { type: 'string', lengthMin: 1, lengthMax: 950, pattern: urlMatch },
    method: { type: 'choice', values: ['GET', 'POST', 'HEAD'], default: 'GET' },
    domain: {
      type: 'string',
      lengthMax: 253,
      pattern: hostAndPort,
      description: 'The host that is asked for.',
    },
    'additional-headers': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024, pattern: oneLine },
    },
    'status-code': { type: 'integer', min: 100, max: 999, default: 200 },
    'match-content-string': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 255,
      description: "Text that is in the answer's body.",
    },
  },
} as const satisfies Section
