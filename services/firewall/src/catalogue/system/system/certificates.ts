import type { Section } from '../../../kinds/kind.ts'
import { countryCode, numberOfDays } from '../../../kinds/patterns.ts'

const hiddenPem = { type: 'string', lengthMax: 64_000, hidden: true } as const

const name = { type: 'string', lengthMax: 64 } as const

/** Lengths are those of RFC 5280, appendix A.1. */
export const selfSignedManagementCertificate = {
  title: 'Self Signed Management Certificate',
  description: 'What the certificate says that the system makes for its own management.',
  fields: {
    'certificate-expiration': {
      type: 'string',
      lengthMax: 64,
      pattern: numberOfDays,
      description: 'For how many days the certificate is made.',
    },
    city: { type: 'string', lengthMax: 128 },
    'common-name': { ...name, description: 'The host at which the management is reached.' },
    country: {
      type: 'string',
      lengthMin: 2,
      lengthMax: 2,
      pattern: countryCode,
      description: 'Two letters, as ISO 3166 has them.',
    },
    'key-size': {
      type: 'choice',
      values: ['1024', '2048', '4096', '512'],
      description: 'Of the RSA key, in bits. Keys under 2048 are refused, since TLS here does not take them.',
    },
    organization: name,
    'organization-unit': name,
    state: { type: 'string', lengthMax: 128 },
    certificate: { ...hiddenPem, description: 'PEM.' },
    'private-key': { ...hiddenPem, description: 'PKCS #8 as PEM.' },
  },
} as const satisfies Section

const document = { type: 'string', lengthMax: 64_000, writeOnly: true } as const

/** Takes PEM or PKCS #12. The password opens the file once, and is not stored. */
export const trustedManagementCertificate = {
  title: 'Trusted Management Certificate',
  description: 'A certificate from an authority, for the management of the system; given, never read back.',
  operations: ['update'],
  fields: {
    'certificate-chain-bundle': { ...document, description: 'The certificates above it, as PEM.' },
    'certificate-password': { type: 'string', lengthMax: 1024, writeOnly: true, transient: true },
    'certificate-type': {
      type: 'choice',
      values: ['pem', 'pkcs'],
      writeOnly: true,
      transient: true,
      description: 'PEM, or a PKCS #12 file in base64.',
    },
    'private-key': document,
    'signed-certificate': document,
  },
} as const satisfies Section
