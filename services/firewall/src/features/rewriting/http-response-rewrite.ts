import type { Kind } from '../../kinds/kind.ts'
import { headerName, oneLine } from '../../kinds/patterns.ts'

/** As the rules for requests, without those that redirect or change the URL. */
export const httpResponseRewrite = {
  name: 'http-response-rewrite',
  title: 'HTTP Response Rewrite',
  description: 'A change to the headers of responses on their way to the clients.',
  path: 'http-response-rewrite-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    action: { type: 'choice', values: ['Insert Header', 'Remove Header', 'Rewrite Header'], required: true },
    'sequence-number': {
      type: 'integer',
      min: 1,
      max: 2048,
      required: true,
      description: 'Rules are applied in this order, the lowest first.',
    },
    comments: { type: 'string', lengthMax: 256 },
    condition: {
      type: 'string',
      lengthMax: 4096,
      description: 'Which responses are changed, written as an extended match; "*" for every response.',
    },
    'continue-processing': {
      type: 'yes-no',
      description: 'Whether the rules that follow are applied, too.',
    },
    header: { type: 'string', lengthMax: 512, pattern: headerName },
    'old-value': {
      type: 'string',
      lengthMax: 1024,
      pattern: oneLine,
      description: 'What the header has to match, in which "*" stands for any characters.',
    },
    'rewrite-value': {
      type: 'string',
      lengthMax: 1024,
      pattern: oneLine,
      description: 'The new value.',
    },
  },
} as const satisfies Kind
