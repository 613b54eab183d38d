import type { Section } from '../../../kinds/kind.ts'
import { absoluteUrl } from '../../../kinds/patterns.ts'

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
