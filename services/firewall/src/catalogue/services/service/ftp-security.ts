import type { Section } from '../../../kinds/kind.ts'
import { portRange } from '../../../kinds/patterns.ts'

export const ftpSecurity = {
  title: 'FTP',
  description: '',
  operations: ['read', 'create', 'update'],
  fields: {
    'allowed-verb-status': { type: 'yes-no', default: 'Yes' },
    'allowed-verbs': { type: 'list', of: { type: 'string' } },
    'attack-prevention-status': { type: 'yes-no', default: 'No' },
    'pasv-ip-address': { type: 'ip-address' },
    'pasv-ports': { type: 'list', of: { type: 'string', pattern: portRange } },
  },
} as const satisfies Section
