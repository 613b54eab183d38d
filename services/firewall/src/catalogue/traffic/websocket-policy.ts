import type { Kind } from '../../kinds/kind.ts'

export const websocketPolicy = {
  name: 'websocket-policy',
  title: 'Web Socket Policy',
  description: '',
  path: 'websocket-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    host: { type: 'string', required: true },
    url: { type: 'string', required: true },
    comment: { type: 'string' },
    mode: { type: 'choice', values: ['Active', 'Passive'] },
    status: { type: 'on-off' },
  },
  sections: {
    'message-security': {
      title: 'Message Security',
      description: '',
      fields: {
        'enable-message-security': { type: 'yes-no' },
        'enforce-json-check': { type: 'yes-no' },
        'message-format': { type: 'string' },
      },
    },
    'origin-protection': {
      title: 'Origin Protection',
      description: '',
      fields: {
        'allow-origins': { type: 'list', of: { type: 'string' } },
      },
    },
    'protocol-security': {
      title: 'Protocol Security',
      description: '',
      fields: {
        'max-frame-per-frag-message': { type: 'integer' },
        'max-frame-size': { type: 'integer' },
        'payload-format': { type: 'string' },
      },
    },
  },
} as const satisfies Kind
