import { ldapAuthenticationService } from '../../features/authentication/ldap-authentication-service.ts'
import { ldapDomainServer } from '../../features/authentication/ldap-domain-server.ts'
import { localGroup } from '../../features/authentication/local-group.ts'
import { localUser } from '../../features/authentication/local-user.ts'
import { oidcAuthenticationService } from '../../features/authentication/oidc-authentication-service.ts'
import { oidcIdentityProvider } from '../../features/authentication/oidc-identity-provider.ts'
import { radiusAuthenticationService } from '../../features/authentication/radius-authentication-service.ts'
import { radiusServer } from '../../features/authentication/radius-server.ts'
import { rsaSecuridAuthenticationService } from '../../features/authentication/rsa-securid-authentication-service.ts'
import { rsaServer } from '../../features/authentication/rsa-server.ts'
import { jwtPublicKey } from '../../features/json-web-tokens/jwt-public-key.ts'
import { jwtValidatorEndpoint } from '../../features/json-web-tokens/jwt-validator-endpoint.ts'
import type { Kind } from '../../kinds/kind.ts'
import { kerberosAuthenticationService } from './kerberos-authentication-service.ts'
import { kerberosDomainServer } from './kerberos-domain-server.ts'
import { samlAuthenticationService } from './saml-authentication-service.ts'
import { samlIdentityProvider } from './saml-identity-provider.ts'

/** Users of the protected applications, and the services that know them. Those who manage the firewall are elsewhere. */
export const authenticationKinds: readonly Kind[] = [
  ldapAuthenticationService,
  ldapDomainServer,
  radiusAuthenticationService,
  radiusServer,
  rsaSecuridAuthenticationService,
  rsaServer,
  kerberosAuthenticationService,
  kerberosDomainServer,
  samlAuthenticationService,
  samlIdentityProvider,
  oidcAuthenticationService,
  oidcIdentityProvider,
  localUser,
  localGroup,
  jwtValidatorEndpoint,
  jwtPublicKey,
]
