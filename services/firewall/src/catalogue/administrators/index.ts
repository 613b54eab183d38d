import type { Kind } from '../../kinds/kind.ts'
import { adminIpRange } from './admin-ip-range.ts'
import { administratorRole } from './administrator-role.ts'
import { externalLdapService } from './external-ldap-service.ts'
import { externalRadiusService } from './external-radius-service.ts'
import { samlspIdentityProvider } from './samlsp-identity-provider.ts'
import { samlspService } from './samlsp-service.ts'
import { user } from './user.ts'

/** Who may manage the firewall, and the services that know them. */
export const administratorsKinds: readonly Kind[] = [
  user,
  administratorRole,
  adminIpRange,
  externalLdapService,
  externalRadiusService,
  samlspService,
  samlspIdentityProvider,
]
