import type { Section } from '../../../kinds/kind.ts'

export const advancedConfiguration = {
  title: 'Advanced Configuration',
  description: '',
  fields: {
    'accept-list': { type: 'list', of: { type: 'string' } },
    'accept-list-status': { type: 'yes-no', default: 'No' },
    'ddos-exception-list': { type: 'list', of: { type: 'string' } },
    'enable-fingerprint': { type: 'yes-no' },
    'enable-http2': { type: 'yes-no', default: 'No' },
    'enable-proxy-protocol': { type: 'yes-no', default: 'No' },
    'enable-server-http2': { type: 'yes-no' },
    'enable-vdi': { type: 'yes-no', default: 'No' },
    'enable-web-application-firewall': { type: 'yes-no', default: 'Yes' },
    'enable-websocket': { type: 'yes-no', default: 'No' },
    'keepalive-requests': { type: 'integer', min: 0, max: 65_535, default: 64 },
    'ntlm-ignore-extra-data': { type: 'yes-no', default: 'No' },
    'proxy-list': { type: 'list', of: { type: 'string' } },
    'proxy-list-status': { type: 'yes-no', default: 'No' },
  },
} as const satisfies Section
