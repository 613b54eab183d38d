import type { Kind } from '../../kinds/kind.ts'
import { objectName, pathMatch, redirectTarget } from '../../kinds/patterns.ts'

export const globalAcl = {
  name: 'global-acl',
  title: 'Global ACL',
  description: '',
  path: 'global-acls',
  parent: 'security-policy',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    action: {
      type: 'choice',
      values: [
        'Process',
        'Allow',
        'Allow and Log',
        'Deny and Log',
        'Deny with no Log',
        'Temporary Redirect',
        'Permanent Redirect',
        'Send Internal response irrespective of mode',
      ],
      default: 'Process',
    },
    comments: { type: 'string', lengthMax: 256 },
    'deny-response': {
      type: 'choice',
      values: ['Reset', 'Response Page', 'Temporary Redirect', 'Permanent Redirect'],
      default: 'Response Page',
    },
    enable: { type: 'yes-no', default: 'Yes' },
    'extended-match': { type: 'string', lengthMax: 4096, default: '*' },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000, default: 1 },
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
    'redirect-url': { type: 'string', lengthMax: 1024, pattern: redirectTarget },
    'response-page': { type: 'reference', to: 'response-page', default: 'default' },
    url: { type: 'string', lengthMax: 5000, pattern: pathMatch, default: '/*' },
  },
} as const satisfies Kind
