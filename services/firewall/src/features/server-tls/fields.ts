import type { Section } from '../../kinds/kind.ts'
import { ownCertificate } from '../tls/fields.ts'

/** Holds for connections from the proxy to one server; the service says how clients are met. */
export const sslPolicy = {
  title: 'SSL Policy',
  description: 'Whether the server is reached over HTTPS, and how.',
  fields: {
    'enable-https': { type: 'yes-no', default: 'No' },
    'validate-certificate': {
      type: 'yes-no',
      default: 'Yes',
      description: "Whether the server's certificate has to be one that is trusted.",
    },
    'client-certificate': {
      ...ownCertificate,
      description: 'What a server is shown that asks for a certificate.',
    },
    'enable-sni': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether the server is told the name of the host that the client asked for.',
    },
    'enable-ssl-compatibility-mode': {
      type: 'yes-no',
      default: 'No',
      description: 'For servers that do not follow the standard.',
    },
    'enable-http2-server': { type: 'yes-no' },
    'enable-ssl-3': { type: 'yes-no', default: 'No' },
    'enable-tls-1': { type: 'yes-no', default: 'No' },
    'enable-tls-1-1': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-2': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-3': { type: 'yes-no' },
  },
} as const satisfies Section

/** Of a server of a content rule: as that of a service, with On and Off for Yes and No. */
export const sslPolicyOfContentRule = {
  ...sslPolicy,
  fields: { ...sslPolicy.fields, 'enable-https': { type: 'on-off', default: 'Off' } },
} as const satisfies Section
