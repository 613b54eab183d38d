import type { Kind } from '../../kinds/kind.ts'
import { ldapAttribute } from '../../kinds/patterns.ts'

/**
 * One directory of an LDAP realm. A login binds as bind-dn, finds the user below base-dn by the login attribute,
 * and binds again as that user with the password that was given.
 */
export const ldapDomainServer = {
  name: 'ldap-domain-server',
  title: 'LDAP Domain Server',
  description: 'A directory server that is asked for the users and groups of an LDAP realm.',
  path: 'ldap-servers',
  parent: 'ldap-authentication-service',
  identifiedBy: 'ip-address',
  fields: {
    'ip-address': { type: 'ip-address', required: true },
    'base-dn': {
      type: 'string',
      lengthMax: 1024,
      required: true,
      description: 'The entry below which users are looked for, such as DC=example,DC=com.',
    },
    'bind-dn': {
      type: 'string',
      lengthMax: 1024,
      required: true,
      description: 'The account under which users are looked for; reading is all that it has to be allowed.',
    },
    'allow-nested-groups': {
      type: 'yes-no',
      description: 'Whether a user also belongs to the groups that hold groups of the user.',
    },
    'bind-password': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 128,
      writeOnly: true,
      sentTo: ['ip-address', 'port', 'secure-connection-type'],
      description: 'The password of bind-dn.',
    },
    'domain-alias': {
      type: 'string',
      lengthMax: 255,
      description: 'What users may write for the domain, such as EXAMPLE in EXAMPLE\\jane.',
    },
    'group-filter': {
      type: 'string',
      lengthMax: 1024,
      description: 'Finds the groups of a user: a search filter (RFC 4515), such as (objectClass=group).',
    },
    'group-name-attribute': {
      type: 'string',
      lengthMax: 64,
      pattern: ldapAttribute,
      description: 'The attribute of a group that holds its name.',
    },
    'login-attribute': {
      type: 'string',
      lengthMax: 64,
      pattern: ldapAttribute,
      description: 'The attribute that holds what users log in with: uid, sAMAccountName, mail.',
    },
    port: { type: 'integer', min: 1, max: 65_535 },
    'query-for-group': {
      type: 'yes-no',
      description: 'Whether the groups of a user are looked up at login, for rules that allow groups.',
    },
    'secure-connection-type': {
      type: 'choice',
      values: ['None', 'SSL/TLS', 'StartTLS'],
      description:
        'How the connection is protected: from its start, as is usual at port 636, after StartTLS, or not at all.',
    },
  },
} as const satisfies Kind
