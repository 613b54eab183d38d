import type { Section } from '../../../kinds/kind.ts'

export const ngFirewall = {
  title: 'NG Firewall',
  description: '',
  fields: {
    password: { type: 'string', writeOnly: true },
    port: { type: 'integer', min: 1, max: 65_535 },
    server: { type: 'string' },
    username: { type: 'string' },
  },
} as const satisfies Section
