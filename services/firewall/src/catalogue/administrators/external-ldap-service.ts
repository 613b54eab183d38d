import type { Kind } from '../../kinds/kind.ts'
import { hostOrAddress } from '../../kinds/patterns.ts'

/** Who logs in is looked for with the bind account, and then bound with the given password. */
export const externalLdapService = {
  name: 'external-ldap-service',
  title: 'External LDAP Service',
  description: 'A directory server with whose accounts administrators log in.',
  path: 'external-ldap-services',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'bind-dn': {
      type: 'string',
      lengthMax: 1024,
      required: true,
      description: 'The account with which the directory is searched, as a distinguished name.',
    },
    'default-role': {
      type: 'reference',
      to: 'administrator-role',
      orOneOf: ['None'],
      required: true,
      description: 'The role of whoever is in no group of the role map.',
    },
    encryption: {
      type: 'choice',
      values: ['None', 'SSL', 'TLS'],
      required: true,
      description: 'SSL from the first byte, or TLS after StartTLS.',
    },
    'group-member-uid-attribute': {
      type: 'string',
      lengthMax: 255,
      required: true,
      description: 'The attribute of a group that lists its members.',
    },
    'ip-address': {
      type: 'string',
      lengthMax: 255,
      pattern: hostOrAddress,
      required: true,
      description: 'The address of the server, or its host name.',
    },
    'allow-nested-groups': {
      type: 'yes-no',
      description: 'Whether the members of groups within groups count.',
    },
    'bind-password': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['ip-address', 'port', 'encryption', 'validate-server-certificate'],
    },
    'group-filter': {
      type: 'string',
      lengthMax: 1024,
      description: 'The LDAP filter by which groups are found.',
    },
    'group-membership-format': {
      type: 'choice',
      values: ['User', 'UserDn'],
      description: 'Whether groups list their members by name or by distinguished name.',
    },
    'group-name-attribute': { type: 'string', lengthMax: 255 },
    'ldap-server-type': { type: 'choice', values: ['Active Directory', 'OpenLDAP', 'Others'] },
    port: { type: 'integer', min: 1, max: 65_535 },
    'retype-bind-password': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      transient: true,
      description: 'The bind password once more, against slips.',
    },
    'role-map': { type: 'string', description: 'Which group has which role.' },
    'role-order': {
      type: 'string',
      description: 'The roles in the order in which they win when somebody is in several groups.',
    },
    'search-base': {
      type: 'string',
      lengthMax: 1024,
      description: 'The distinguished name under which accounts and groups are looked for.',
    },
    'uid-attribute': {
      type: 'string',
      lengthMax: 255,
      description: 'The attribute of an account that holds the login name.',
    },
    'validate-server-certificate': { type: 'yes-no' },
  },
} as const satisfies Kind
