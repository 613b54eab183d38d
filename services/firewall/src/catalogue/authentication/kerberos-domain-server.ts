import type { Kind } from '../../kinds/kind.ts'

export const kerberosDomainServer = {
  name: 'kerberos-domain-server',
  title: 'Kerberos Domain Server',
  description: '',
  path: 'kerberos-servers',
  parent: 'kerberos-authentication-service',
  identifiedBy: 'ip-address',
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    'kdc-name': { type: 'string', required: true },
    'domain-alias': { type: 'string' },
    port: { type: 'integer', min: 1, max: 65_535 },
  },
} as const satisfies Kind
