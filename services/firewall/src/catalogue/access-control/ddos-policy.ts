import type { Kind } from '../../kinds/kind.ts'

export const ddosPolicy = {
  name: 'ddos-policy',
  title: 'DDoS Policy',
  description: '',
  path: 'ddos-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    comments: { type: 'string', lengthMax: 256 },
    'enforce-captcha': {
      type: 'choice',
      values: ['All clients', 'Do not Enforce', 'Suspicious clients only'],
    },
    'evaluate-clients': { type: 'on-off' },
    'expiry-time': { type: 'integer', min: 60, max: 3600 },
    'extended-match': { type: 'string', lengthMax: 4096 },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000 },
    host: { type: 'string', lengthMax: 128 },
    'mouse-check': { type: 'on-off' },
    'num-captcha-tries': { type: 'integer', min: 1, max: 128 },
    'num-unanswered-captcha': { type: 'integer', min: 1, max: 2096 },
    url: { type: 'string', lengthMax: 5000 },
  },
} as const satisfies Kind
