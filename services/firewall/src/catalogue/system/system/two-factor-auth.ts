import type { Section } from '../../../kinds/kind.ts'

export const twoFactorAuth = {
  title: 'Dual Auth',
  description: 'Whether administrators have to show a second proof when they log in.',
  fields: {
    'enable-dual-authentication': { type: 'choice', values: ['Disable', 'Enable'] },
    'is-rsa-securid': { type: 'yes-no', description: 'Whether the second proof is an RSA SecurID code.' },
  },
} as const satisfies Section
