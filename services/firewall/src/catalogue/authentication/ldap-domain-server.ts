import type { Kind } from '../../kinds/kind.ts'

export const ldapDomainServer = {
  name: 'ldap-domain-server',
  title: 'LDAP Domain Server',
  description: '',
  path: 'ldap-servers',
  parent: 'ldap-authentication-service',
  identifiedBy: 'ip-address',
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    'base-dn': { type: 'string', required: true },
    'bind-dn': { type: 'string', required: true },
    'allow-nested-groups': { type: 'yes-no' },
    'bind-password': { type: 'string', lengthMin: 1, lengthMax: 128, writeOnly: true },
    'domain-alias': { type: 'string' },
    'group-filter': { type: 'string' },
    'group-name-attribute': { type: 'string' },
    'login-attribute': { type: 'string' },
    port: { type: 'integer', min: 1, max: 65_535 },
    'query-for-group': { type: 'yes-no' },
    'secure-connection-type': { type: 'choice', values: ['None', 'SSL/TLS', 'StartTLS'] },
  },
} as const satisfies Kind
