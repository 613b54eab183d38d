import { allowOrDenyClient } from '../../features/allow-deny-clients/fields.ts'
import { accessRule } from '../../features/authentication/access-rule.ts'
import { authorizationPolicy } from '../../features/authentication/authorization-policy.ts'
import { ddosPolicy } from '../../features/captcha/ddos-policy.ts'
import { headerAcl } from '../../features/header-acls/fields.ts'
import { customIpBlocklist } from '../../features/ip-reputation/custom-ip-blocklist.ts'
import { geoPool } from '../../features/ip-reputation/geo-pool.ts'
import { geoipAllowedNetwork } from '../../features/ip-reputation/geoip-allowed-network.ts'
import { geoipBlockedNetwork } from '../../features/ip-reputation/geoip-blocked-network.ts'
import { preferredClient } from '../../features/rate-control/preferred-client.ts'
import { rateControlPool } from '../../features/rate-control/rate-control-pool.ts'
import { trustedHost } from '../../features/trusted-hosts/trusted-host.ts'
import { trustedHostGroup } from '../../features/trusted-hosts/trusted-host-group.ts'
import { urlAcl } from '../../features/url-acls/url-acl.ts'
import type { Kind } from '../../kinds/kind.ts'

/** Who may send requests, from where, and how many. */
export const accessControlKinds: readonly Kind[] = [
  allowOrDenyClient,
  accessRule,
  authorizationPolicy,
  geoipAllowedNetwork,
  geoipBlockedNetwork,
  ddosPolicy,
  urlAcl,
  headerAcl,
  geoPool,
  customIpBlocklist,
  trustedHostGroup,
  trustedHost,
  rateControlPool,
  preferredClient,
]
