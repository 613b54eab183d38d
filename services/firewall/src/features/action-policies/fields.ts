import type { Kind } from '../../kinds/kind.ts'
import { objectName, redirectTarget } from '../../kinds/patterns.ts'
import { followUpActions } from '../denials/fields.ts'
import { actionOfEachAttack, actionsOfDefaultPolicy } from './attacks.ts'

/**
 * What the firewall does about one sort of attack. A service in passive mode logs what would be done and lets the
 * request pass. Cookies that fail their check are taken out of the request, which goes on without them.
 */
export const actionPolicy = {
  name: 'action-policy',
  title: 'Action Policy',
  description: 'What follows one sort of attack on the services of a security policy.',
  path: 'action-policies',
  parent: 'security-policy',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  fields: {
    name: {
      type: 'string',
      lengthMax: 255,
      pattern: objectName,
      required: true,
      readOnly: true,
      description: 'The attack.',
    },
    action: {
      type: 'choice',
      values: ['Protect and Log', 'Protect with no Log', 'Allow and Log', 'None'],
      default: 'Protect and Log',
    },
    'deny-response': {
      type: 'choice',
      values: ['Close Connection', 'Send Response', 'Temporary Redirect', 'Permanent Redirect'],
      default: 'Send Response',
      description: 'How a refused client is answered.',
    },
    'follow-up-action': {
      type: 'choice',
      values: followUpActions,
      default: 'None',
      description: 'What happens to further requests of the client.',
    },
    'follow-up-action-time': {
      type: 'integer',
      min: 1,
      max: 600_000,
      unit: 'seconds',
      default: 60,
      description: 'How long the follow-up action lasts.',
    },
    'numeric-id': {
      type: 'string',
      lengthMax: 8,
      readOnly: true,
      description: 'The number of the attack in exported logs.',
    },
    'redirect-url': {
      type: 'string',
      lengthMax: 256,
      pattern: redirectTarget,
      description: 'Where a redirect leads.',
    },
    'response-page': {
      type: 'reference',
      to: 'response-page',
      description: 'The page that is sent as response.',
    },
    'risk-score': {
      type: 'choice',
      values: ['Critical', 'Elevated', 'High', 'Low', 'Medium', 'None'],
      description: 'How much the attack adds to the risk of the client that caused it.',
    },
  },
  factory: actionsOfDefaultPolicy,
  inEveryParent: actionOfEachAttack,
} as const satisfies Kind
