import type { Section } from '../../../kinds/kind.ts'

export const twoFactorAuth = {
  title: 'Dual Auth',
  description: '',
  fields: {
    'enable-dual-authentication': { type: 'choice', values: ['Disable', 'Enable'] },
    'is-rsa-securid': { type: 'yes-no' },
  },
} as const satisfies Section
