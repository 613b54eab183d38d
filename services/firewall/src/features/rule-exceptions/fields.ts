import type { Kind } from '../../kinds/kind.ts'
import { ruleTarget } from '../../kinds/patterns.ts'
import { placeFields } from '../places/fields.ts'

/**
 * Lets ordinary requests pass that a rule of the Core Rule Set mistakes for attacks. It is narrower than a profile, which stands in for
 * all that the policy says about its URL, and it reaches what profiles do not: headers, cookies, JSON. This kind is our own.
 */
export const ruleException = {
  name: 'rule-exception',
  title: 'Rule Exception',
  description:
    'A rule that is left out for one part of the requests for a URL, where it blocks what is harmless.',
  path: 'rule-exceptions',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    status: { type: 'on-off', default: 'On' },
    ...placeFields,
    rule: {
      type: 'integer',
      min: 1,
      max: 999_999_999,
      required: true,
      description: 'The number of the rule that is left out.',
    },
    target: {
      type: 'string',
      lengthMax: 1024,
      pattern: ruleTarget,
      description:
        'What the rule does not look at, as the log of violations names it, such as ARGS:comment; "*" stands for any characters of the name. The rule does not run at all when this is empty.',
    },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
