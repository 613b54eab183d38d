import type { Kind } from '../../kinds/kind.ts'
import { objectName, pathMatch, redirectTarget } from '../../kinds/patterns.ts'
import { denyResponses, followUpActions, ruleActions } from '../denials/fields.ts'
import { extendedMatch, hostOfRequests } from '../places/fields.ts'

/**
 * What becomes of requests to a URL of the service, before anything else about them is looked at. Of the rules
 * whose host and URL fit a request, the first one counts whose extended match fits too. A redirect as the action
 * is no attack and follows also in passive mode; a redirect as the response to a denial is one.
 */
export const urlAcl = {
  name: 'url-acl',
  title: 'URL ACLs',
  description:
    'What becomes of requests to some URLs of a service: they are let through, refused or redirected.',
  path: 'url-acls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    enable: { type: 'on-off' },
    host: hostOfRequests,
    url: { type: 'string', lengthMax: 5000, pattern: pathMatch },
    'extended-match': extendedMatch,
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      description: 'Rules with lower numbers are tried first.',
    },
    action: {
      type: 'choice',
      values: ruleActions,
      description: 'Process goes on with the other checks, Allow passes them by.',
    },
    'deny-response': {
      type: 'choice',
      values: denyResponses,
      description: 'What a client is answered whose request is denied.',
    },
    'response-page': { type: 'reference', to: 'response-page' },
    'redirect-url': { type: 'string', lengthMax: 1024, pattern: redirectTarget },
    'follow-up-action': {
      type: 'choice',
      values: followUpActions,
      description: 'What becomes of the later requests of a client that was denied one.',
    },
    'follow-up-action-time': { type: 'integer', min: 1, max: 600_000, unit: 'seconds' },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
