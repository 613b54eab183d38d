import type { Kind } from '../../kinds/kind.ts'
import { objectName, redirectTarget } from '../../kinds/patterns.ts'

export const actionPolicy = {
  name: 'action-policy',
  title: 'Action Policy',
  description: '',
  path: 'action-policies',
  parent: 'security-policy',
  identifiedBy: 'name',
  operations: ['list', 'read', 'update'],
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: objectName, required: true, readOnly: true },
    action: {
      type: 'choice',
      values: ['Protect and Log', 'Protect with no Log', 'Allow and Log', 'None'],
      default: 'Protect and Log',
    },
    'deny-response': {
      type: 'choice',
      values: ['Close Connection', 'Send Response', 'Temporary Redirect', 'Permanent Redirect'],
      default: 'Send Response',
    },
    'follow-up-action': {
      type: 'choice',
      values: [
        'None',
        'Block Client-IP',
        'Challenge with CAPTCHA',
        'Block Client Fingerprint',
        'Tarpit Client',
      ],
      default: 'None',
    },
    'follow-up-action-time': { type: 'integer', min: 1, max: 600_000, default: 60 },
    'numeric-id': { type: 'string', readOnly: true },
    'redirect-url': { type: 'string', lengthMax: 256, pattern: redirectTarget },
    'response-page': { type: 'reference', to: 'response-page' },
    'risk-score': { type: 'choice', values: ['Critical', 'Elevated', 'High', 'Low', 'Medium', 'None'] },
  },
} as const satisfies Kind
