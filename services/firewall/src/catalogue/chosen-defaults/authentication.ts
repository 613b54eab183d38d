import type { ChosenDefaults } from './chosen-defaults.ts'

export const authentication: ChosenDefaults = {
  'ldap-domain-server': {
    'allow-nested-groups': 'No',
    port: 1,
    'query-for-group': 'No',
    'secure-connection-type': 'None',
  },
  'radius-server': {
    port: 1,
    retries: 0,
    timeout: 1,
  },
  'rsa-server': {
    port: 1,
    retries: 0,
    timeout: 1,
  },
  'kerberos-domain-server': {
    port: 1,
  },
  'saml-identity-provider': {
    'autoupdate-metadata': 'No',
    'metadata-type': 'File Upload',
  },
  'oidc-identity-provider': {
    'endpoint-configuration': 'Discovery URL',
    'type-openidc': 0,
  },
  'jwt-validator-endpoint': {
    type: 'External',
    'validate-server': 'No',
  },
}
