import type { Kind } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** WebSockets are those of RFC 6455; whether a service has any, `enable-websocket` of its advanced configuration says. */
export const websocketPolicy = {
  name: 'websocket-policy',
  title: 'Web Socket Policy',
  description: 'How the WebSocket connections of a URL are checked once they are open.',
  path: 'websocket-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    host: { type: 'string', lengthMax: 128, pattern: hostMatch, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    comment: { type: 'string', lengthMax: 256 },
    mode: {
      type: 'choice',
      description: 'Passive records violations, Active blocks them.',
      values: ['Active', 'Passive'],
    },
    status: { type: 'on-off' },
  },
  sections: {
    'message-security': {
      title: 'Message Security',
      description: 'What is looked for in the messages.',
      fields: {
        'enable-message-security': { type: 'yes-no' },
        'enforce-json-check': {
          type: 'yes-no',
          description: 'Checks messages by the JSON profile whose host and URL match.',
        },
        'message-format': {
          type: 'string',
          lengthMax: 64,
          description: 'What the messages are made of, such as JSON.',
        },
      },
    },
    'origin-protection': {
      title: 'Origin Protection',
      description: 'Which sites may open a connection from the browsers of their visitors.',
      fields: {
        'allow-origins': {
          type: 'list',
          description: 'Origins such as https://www.example.com; any when empty.',
          of: { type: 'string', lengthMax: 1024 },
        },
      },
    },
    'protocol-security': {
      title: 'Protocol Security',
      description: 'What the frames of the connections may be like.',
      fields: {
        'max-frame-per-frag-message': {
          type: 'integer',
          min: 0,
          description: 'The most frames that one message may be cut into; 0 for no limit.',
        },
        'max-frame-size': { type: 'integer', min: 0, unit: 'bytes', description: '0 for no limit.' },
        'payload-format': { type: 'choice', values: ['Binary', 'Both', 'Text'] },
      },
    },
  },
} as const satisfies Kind
