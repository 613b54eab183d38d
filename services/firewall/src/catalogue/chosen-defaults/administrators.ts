import type { ChosenDefaults } from './chosen-defaults.ts'

export const administrators: ChosenDefaults = {
  'administrator-role': {
    'api-privilege': 'No',
  },
  'external-ldap-service': {
    'allow-nested-groups': 'No',
    'group-membership-format': 'User',
    'ldap-server-type': 'Active Directory',
    port: 0,
    'validate-server-certificate': 'No',
  },
  'external-radius-service': {
    port: 0,
    timeout: 1,
  },
  'samlsp-service': {
    'digest-algorithm': 'SHA1',
    'enable-encryption': 'No',
  },
  'samlsp-identity-provider': {
    'autoupdate-metadata': 'No',
    'idp-local-id': 'Email Address',
    'metadata-type': 'File Upload',
  },
}
