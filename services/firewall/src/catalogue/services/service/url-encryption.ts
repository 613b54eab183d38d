import type { Section } from '../../../kinds/kind.ts'

export const urlEncryption = {
  title: 'URL Encryption',
  description: 'Whether the URL encryption rules of the service are followed.',
  fields: { status: { type: 'on-off', default: 'Off' } },
} as const satisfies Section
