import type { Section } from '../../kinds/kind.ts'
import { absoluteUrl } from '../../kinds/patterns.ts'

/** Takes effect where the service speaks TLS. */
export const sslClientAuthentication = {
  title: 'SSL Client Authentication',
  description: 'Whether clients have to show a certificate, and whose certificates are trusted.',
  fields: {
    'client-authentication': {
      type: 'choice',
      values: ['Disable', 'For Service', 'For Selected Rule(s)'],
      default: 'Disable',
    },
    'enforce-client-certificate': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether clients without a certificate are turned away.',
    },
    'trusted-certificates': {
      type: 'list',
      of: { type: 'reference', to: 'trusted-ca-certificate' },
      description: 'Those of the authorities that issue the certificates of clients.',
    },
    'client-certificate-for-rule': {
      type: 'list',
      of: { type: 'reference', to: 'rule-group' },
      description: "The service's content rules whose requests need a certificate.",
    },
    'client-authentication-rule-count': {
      type: 'integer',
      min: 0,
      max: 65_535,
      administrative: true,
      description: 'How many rules are listed; clients send it along.',
    },
  },
} as const satisfies Section

/** OCSP is that of RFC 6960. */
export const sslOcsp = {
  title: 'SSL OCSP',
  description: 'Whether somebody is asked if the certificate of a client was revoked.',
  fields: {
    enable: { type: 'yes-no', default: 'No' },
    'responder-url': { type: 'string', lengthMax: 128, pattern: absoluteUrl },
    certificate: {
      type: 'reference',
      to: ['trusted-server-certificate', 'trusted-ca-certificate'],
      description: 'Whose key signs the answers.',
    },
  },
} as const satisfies Section
