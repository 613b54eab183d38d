import type { Section } from '../../../kinds/kind.ts'

const name = { type: 'string', lengthMax: 64 } as const

/** Lengths are those of RFC 5280, appendix A.1. */
export const selfSignedManagementCertificate = {
  title: 'Self Signed Management Certificate',
  description: 'What the certificate says that the system makes for its own management.',
  fields: {
    'certificate-expiration': { type: 'string', lengthMax: 64 },
    city: { type: 'string', lengthMax: 128 },
    'common-name': name,
    country: {
      type: 'string',
      lengthMin: 2,
      lengthMax: 2,
      description: 'Two letters, as ISO 3166 has them.',
    },
    'key-size': { type: 'choice', values: ['1024', '2048', '4096', '512'] },
    organization: name,
    'organization-unit': name,
    state: { type: 'string', lengthMax: 128 },
  },
} as const satisfies Section
