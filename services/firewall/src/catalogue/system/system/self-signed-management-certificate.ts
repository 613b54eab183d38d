import type { Section } from '../../../kinds/kind.ts'

export const selfSignedManagementCertificate = {
  title: 'Self Signed Management Certificate',
  description: '',
  fields: {
    'certificate-expiration': { type: 'string' },
    city: { type: 'string' },
    'common-name': { type: 'string' },
    country: { type: 'string', lengthMin: 2, lengthMax: 2 },
    'key-size': { type: 'choice', values: ['1024', '2048', '4096', '512'] },
    organization: { type: 'string' },
    'organization-unit': { type: 'string' },
    state: { type: 'string' },
  },
} as const satisfies Section
