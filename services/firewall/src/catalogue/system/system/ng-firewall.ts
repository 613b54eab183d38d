import type { Section } from '../../../kinds/kind.ts'
import { hostOrAddress } from '../../../kinds/patterns.ts'

export const ngFirewall = {
  title: 'NG Firewall',
  description: 'The network firewall that is told whom to block.',
  fields: {
    password: { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['server', 'port'] },
    port: { type: 'integer', min: 1, max: 65_535 },
    server: { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    username: { type: 'string', lengthMax: 255 },
  },
} as const satisfies Section
