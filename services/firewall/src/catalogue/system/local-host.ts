import type { Kind } from '../../kinds/kind.ts'
import { hostName } from '../../kinds/patterns.ts'

/** What a hosts file says: these names are not asked of a DNS server. */
export const localHost = {
  name: 'local-host',
  title: 'Local Hosts',
  description: 'A host name whose addresses the system knows without asking a DNS server.',
  path: 'local-hosts',
  parent: 'system',
  identifiedBy: 'hostname',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    hostname: { type: 'string', lengthMax: 255, pattern: hostName, required: true },
    'ip-address': { type: 'list', of: { type: 'ip-address' }, required: true },
  },
} as const satisfies Kind
