import type { Kind } from '../../kinds/kind.ts'
import { headerName, oneLine } from '../../kinds/patterns.ts'

/** Takes place before the request is given to a server; Redirect URL answers it at once instead. */
export const httpRequestRewrite = {
  name: 'http-request-rewrite',
  title: 'HTTP Request Rewrite',
  description: 'A change to the headers or the URL of requests on their way to the servers.',
  path: 'http-request-rewrite-rules',
  wrappedInOlderVersions: 'HTTP Request Rewrite',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'sequence-number': {
      type: 'integer',
      min: 1,
      max: 1499,
      required: true,
      description: 'Rules are applied in this order, the lowest first.',
    },
    action: {
      type: 'choice',
      values: ['Insert Header', 'Redirect URL', 'Remove Header', 'Rewrite Header', 'Rewrite URL'],
    },
    comments: { type: 'string', lengthMax: 256 },
    condition: {
      type: 'string',
      lengthMax: 4096,
      description: 'Which requests are changed, written as an extended match; "*" for every request.',
    },
    'continue-processing': {
      type: 'yes-no',
      description: 'Whether the rules that follow are applied, too.',
    },
    header: {
      type: 'string',
      lengthMax: 512,
      pattern: headerName,
      description: 'The header that is changed; of no meaning for URLs.',
    },
    'old-value': {
      type: 'string',
      lengthMax: 512,
      pattern: oneLine,
      description: 'What the header or the URL has to match, in which "*" stands for any characters.',
    },
    'rewrite-value': {
      type: 'string',
      lengthMax: 512,
      pattern: oneLine,
      description: 'The new value.',
    },
  },
} as const satisfies Kind
