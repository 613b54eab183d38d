import type { Section } from '../../../kinds/kind.ts'
import { dateAndTime } from '../../../kinds/patterns.ts'

/** Systems of a cluster need the same key, so that each understands the cookies that another has encrypted. */
export const encryptionKey = {
  title: 'Encryption Key',
  description: 'The key with which cookies are encrypted and signed.',
  fields: {
    'cookie-encryption-key': {
      type: 'string',
      lengthMin: 128,
      lengthMax: 128,
      writeOnly: true,
      description: '96 random bytes in base64.',
    },
    'key-expiry': {
      type: 'string',
      lengthMax: 19,
      pattern: dateAndTime,
      description: 'From when on cookies that an older key has made are refused.',
    },
    'key-expiry-timezone': {
      type: 'choice',
      values: ['GMT', 'Local'],
      default: 'Local',
      description: "Whether the expiry is meant in GMT or in the system's time zone.",
    },
  },
} as const satisfies Section
