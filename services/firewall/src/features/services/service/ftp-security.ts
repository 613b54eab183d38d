import type { Section } from '../../../kinds/kind.ts'
import { lettersAndUnderscores, portRange } from '../../../kinds/patterns.ts'

/** For services of the types FTP and FTP SSL. */
export const ftpSecurity = {
  title: 'FTP',
  description: 'Which commands FTP clients may send, and where they fetch data.',
  operations: ['read', 'create', 'update'],
  fields: {
    'attack-prevention-status': { type: 'yes-no', default: 'No' },
    'allowed-verb-status': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether only the allowed verbs pass.',
    },
    'allowed-verbs': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: lettersAndUnderscores },
    },
    'pasv-ip-address': {
      type: 'ip-address',
      description: 'What clients are told in passive mode.',
    },
    'pasv-ports': { type: 'list', of: { type: 'string', pattern: portRange } },
  },
} as const satisfies Section
