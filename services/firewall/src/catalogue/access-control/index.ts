import { allowOrDenyClient } from '../../features/allow-deny-clients/fields.ts'
import { ddosPolicy } from '../../features/captcha/ddos-policy.ts'
import { headerAcl } from '../../features/header-acls/fields.ts'
import { customIpBlocklist } from '../../features/ip-reputation/custom-ip-blocklist.ts'
import { preferredClient } from '../../features/rate-control/preferred-client.ts'
import { rateControlPool } from '../../features/rate-control/rate-control-pool.ts'
import { trustedHost } from '../../features/trusted-hosts/trusted-host.ts'
import { trustedHostGroup } from '../../features/trusted-hosts/trusted-host-group.ts'
import { urlAcl } from '../../features/url-acls/url-acl.ts'
import type { Kind } from '../../kinds/kind.ts'
import { accessRule } from './access-rule.ts'
import { authorizationPolicy } from './authorization-policy.ts'
import { geoPool } from './geo-pool.ts'
import { geoipAllowedNetwork } from './geoip-allowed-network.ts'
import { geoipBlockedNetwork } from './geoip-blocked-network.ts'

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
