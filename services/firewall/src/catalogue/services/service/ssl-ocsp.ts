import type { Section } from '../../../kinds/kind.ts'

export const sslOcsp = {
  title: 'SSL OCSP',
  description: '',
  fields: {
    certificate: { type: 'string' },
    enable: { type: 'yes-no', default: 'No' },
    'responder-url': { type: 'string', lengthMax: 128 },
  },
} as const satisfies Section
