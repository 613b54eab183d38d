import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of administrators: a role opens no API by itself, and directories are taken for Active Directory. */
export const administrators: ChosenDefaults = {
  'administrator-role': {
    // Whoever is to use the API is given that on purpose.
    'api-privilege': 'No',
    'role-type': 'Custom',
  },
  'external-ldap-service': {
    'allow-nested-groups': 'No',
    // What Active Directory, the default below, has in its groups and accounts.
    'group-membership-format': 'UserDn',
    'group-name-attribute': 'cn',
    'uid-attribute': 'sAMAccountName',
    'ldap-server-type': 'Active Directory',
    port: 389,
    'validate-server-certificate': 'Yes',
  },
  'external-radius-service': {
    port: 1812,
    timeout: 5,
  },
  'samlsp-service': {
    'digest-algorithm': 'SHA256',
    'enable-encryption': 'No',
  },
  'samlsp-identity-provider': {
    'autoupdate-metadata': 'No',
    'idp-local-id': 'Email Address',
    'metadata-type': 'File Upload',
  },
}
