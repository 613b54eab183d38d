import type { Kind } from '../../kinds/kind.ts'
import { objectName, pathMatch, redirectTarget } from '../../kinds/patterns.ts'
import { denyResponses, followUpActions, ruleActions } from '../denials/fields.ts'

/**
 * A rule for all services of a security policy. The URL decides first; of the rules that match it, the first by
 * extended-match-sequence whose extended match holds is applied.
 */
export const globalAcl = {
  name: 'global-acl',
  title: 'Global ACL',
  description: 'Allows, denies or redirects some requests to all services of a security policy.',
  path: 'global-acls',
  parent: 'security-policy',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    action: {
      type: 'choice',
      values: ruleActions,
      default: 'Process',
      description: 'Process goes on with the other checks, Allow passes them over.',
    },
    comments: { type: 'string', lengthMax: 256 },
    'deny-response': {
      type: 'choice',
      values: denyResponses,
      default: 'Response Page',
      description: 'How a denied client is answered.',
    },
    enable: { type: 'yes-no', default: 'Yes' },
    'extended-match': {
      type: 'string',
      lengthMax: 4096,
      default: '*',
      description: 'An expression over headers, parameters and the client; "*" for every request.',
    },
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      default: 1,
      description: 'The place of the rule among those for the same URL, lowest first.',
    },
    'follow-up-action': {
      type: 'choice',
      values: followUpActions,
      default: 'None',
      description: 'What happens to further requests of a denied client.',
    },
    'follow-up-action-time': {
      type: 'integer',
      min: 1,
      max: 600_000,
      unit: 'seconds',
      default: 60,
      description: 'How long the follow-up action lasts.',
    },
    'redirect-url': {
      type: 'string',
      lengthMax: 1024,
      pattern: redirectTarget,
      description: 'Where a redirect leads.',
    },
    'response-page': {
      type: 'reference',
      to: 'response-page',
      default: 'default',
      description: 'The page that a denied client is sent.',
    },
    url: { type: 'string', lengthMax: 5000, pattern: pathMatch, default: '/*' },
  },
} as const satisfies Kind
