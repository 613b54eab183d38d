import type { Section } from '../../../kinds/kind.ts'

export const encryptionKey = {
  title: 'Encryption Key',
  description: '',
  fields: {
    'cookie-encryption-key': {
      type: 'string',
      lengthMin: 128,
      lengthMax: 128,
      default:
        'gEYPuS0X/QEBww7XIxQVlYWkL9F7KNKzNDNYHnx3w7SiaI8Z7C5d9dFPt0LkqaCKml4B8U5LwcxM8mKub2L6BdkiLAdfDHVrECLb+H0m/pdyp4ScNvRvmzgpjHugdXjD',
    },
    'key-expiry': { type: 'string', default: '2017-11-11 00:00:00' },
    'key-expiry-timezone': { type: 'choice', values: ['GMT', 'Local'], default: 'Local' },
  },
} as const satisfies Section
