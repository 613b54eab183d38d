import type { Section } from '../../../kinds/kind.ts'

export const sslPolicy = {
  title: 'SSL Policy',
  description: '',
  fields: {
    'client-certificate': { type: 'string' },
    'enable-http2-server': { type: 'yes-no' },
    'enable-https': { type: 'on-off', default: 'Off' },
    'enable-sni': { type: 'yes-no', default: 'No' },
    'enable-ssl-3': { type: 'yes-no', default: 'No' },
    'enable-ssl-compatibility-mode': { type: 'yes-no', default: 'No' },
    'enable-tls-1': { type: 'yes-no', default: 'No' },
    'enable-tls-1-1': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-2': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-3': { type: 'yes-no' },
    'validate-certificate': { type: 'yes-no', default: 'Yes' },
  },
} as const satisfies Section
