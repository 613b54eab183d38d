import type { Section } from '../../../kinds/kind.ts'

export const secureAdministration = {
  title: 'Secure Administration',
  description: 'How administrators reach the system by HTTPS, and with which certificate it answers.',
  fields: {
    'certificate-type': {
      type: 'choice',
      values: ['Default (Barracuda Networks)', 'Private (Self-signed)', 'Trusted (Signed by a trusted CA)'],
    },
    'https-access-only': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether HTTP without encryption is refused.',
    },
    'https-port': { type: 'integer', min: 1, max: 65_535, default: 8443 },
    'supported-ssl-protocols': {
      type: 'list',
      of: { type: 'choice', values: ['TLSv1', 'TLSv1.1', 'TLSv1.2'] },
    },
  },
} as const satisfies Section
