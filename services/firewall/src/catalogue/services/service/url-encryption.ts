import type { Section } from '../../../kinds/kind.ts'

export const urlEncryption = {
  title: 'URL Encryption',
  description: '',
  fields: {
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
