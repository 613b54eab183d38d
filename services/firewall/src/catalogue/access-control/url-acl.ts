import type { Kind } from '../../kinds/kind.ts'

export const urlAcl = {
  name: 'url-acl',
  title: 'URL ACL',
  description: '',
  path: 'url-acls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    action: {
      type: 'choice',
      values: [
        'Allow',
        'Allow and Log',
        'Deny and Log',
        'Deny with no Log',
        'Permanent Redirect',
        'Process',
        'Send Internal response irrespective of mode',
        'Temporary Redirect',
      ],
    },
    comments: { type: 'string', lengthMax: 256 },
    'deny-response': {
      type: 'choice',
      values: ['Permanent Redirect', 'Reset', 'Response Page', 'Temporary Redirect'],
    },
    enable: { type: 'on-off' },
    'extended-match': { type: 'string', lengthMax: 4096 },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000 },
    'follow-up-action': {
      type: 'choice',
      values: [
        'Block Client Fingerprint',
        'Block Client-IP',
        'Challenge with CAPTCHA',
        'None',
        'Tarpit Client',
      ],
    },
    'follow-up-action-time': { type: 'integer', min: 1, max: 600_000 },
    host: { type: 'string', lengthMax: 128 },
    'redirect-url': { type: 'string', lengthMax: 1024 },
    'response-page': { type: 'reference', to: 'response-page' },
    url: { type: 'string', lengthMax: 5000 },
  },
} as const satisfies Kind
