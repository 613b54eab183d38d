import type { Section } from '../../../kinds/kind.ts'
import { urlMatch } from '../../../kinds/patterns.ts'

export const applicationLayerHealthChecks = {
  title: 'Application Layer Health Checks',
  description: '',
  fields: {
    'additional-headers': { type: 'list', of: { type: 'string' } },
    domain: { type: 'string' },
    'match-content-string': { type: 'string', lengthMin: 1, lengthMax: 255 },
    method: { type: 'choice', values: ['GET', 'HEAD', 'POST'], default: 'GET' },
    'status-code': { type: 'integer', min: 100, max: 999, default: 200 },
    url: { type: 'string', lengthMin: 1, lengthMax: 950, pattern: urlMatch },
  },
} as const satisfies Section
