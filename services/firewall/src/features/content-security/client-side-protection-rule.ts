import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, oneLine, urlMatch } from '../../kinds/patterns.ts'
import { conditionFields } from '../places/fields.ts'

/** Holds Content Security Policies and rules of Subresource Integrity for the pages that it matches. */
export const clientSideProtectionRule = {
  name: 'client-side-protection-rule',
  title: 'Supply Chain',
  description: 'Which pages browsers are told to load only known scripts and resources into.',
  path: 'client-side-protection',
  alsoAt: ['supply-chain-rules'],
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, pattern: hostMatch, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'csp-mode': {
      type: 'list',
      description: 'Whether browsers block what a policy forbids, or only report it.',
      of: { type: 'choice', values: ['Block', 'Report Only'] },
    },
    ...conditionFields,
    'sri-hash': {
      type: 'string',
      lengthMax: 1024,
      pattern: oneLine,
      description: 'The digest that the resource has to have.',
    },
    'sri-src': {
      type: 'string',
      lengthMax: 5000,
      pattern: oneLine,
      description: 'The resource as pages name it.',
    },
    'sri-url': {
      type: 'string',
      lengthMax: 5000,
      pattern: oneLine,
      description: 'The page that loads the resource.',
    },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
