import type { Section } from '../../../kinds/kind.ts'

export const sslClientAuthentication = {
  title: 'SSL Client Authentication',
  description: '',
  fields: {
    'client-authentication-rule-count': { type: 'integer', min: 0, max: 65_535 },
    'client-authentication': {
      type: 'choice',
      values: ['Disable', 'For Service', 'For Selected Rule(s)'],
      default: 'Disable',
    },
    'client-certificate-for-rule': { type: 'list', of: { type: 'string' } },
    'enforce-client-certificate': { type: 'yes-no', default: 'Yes' },
    'trusted-certificates': { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Section
