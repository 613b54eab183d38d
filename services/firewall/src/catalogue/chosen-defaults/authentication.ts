import type { ChosenDefaults } from './chosen-defaults.ts'

/** The port that IANA assigned, and patience for one lost packet or two: a person waits for the answer. */
const radius = { port: 1812, retries: 3, timeout: 5 }

/** Defaults of the services that know users of applications. */
export const authentication: ChosenDefaults = {
  'ldap-domain-server': {
    'allow-nested-groups': 'No',
    'group-name-attribute': 'cn',
    'login-attribute': 'uid',
    port: 389,
    'query-for-group': 'No',
    // Passwords do not travel readable unless somebody says so; port 389 takes StartTLS.
    'secure-connection-type': 'StartTLS',
  },
  'radius-server': radius,
  'rsa-server': radius,
  'kerberos-domain-server': { port: 88 },
  'saml-identity-provider': {
    'autoupdate-metadata': 'No',
    'metadata-type': 'File Upload',
  },
  'oidc-identity-provider': {
    // All endpoints have to be given anyway.
    'endpoint-configuration': 'Manual',
  },
  'jwt-validator-endpoint': {
    'auth-mechanism': 'None',
    // As the introspection endpoints of RFC 7662 expect it.
    'token-param-name': 'token',
    type: 'Internal',
    'validate-server': 'Yes',
  },
}
