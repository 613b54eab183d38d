import { allowOrDenyClient } from '../../features/allow-deny-clients/fields.ts'
import { urlAcl } from '../../features/url-acls/url-acl.ts'
import type { Kind } from '../../kinds/kind.ts'
import { accessRule } from './access-rule.ts'
import { authorizationPolicy } from './authorization-policy.ts'
import { customIpBlocklist } from './custom-ip-blocklist.ts'
import { ddosPolicy } from './ddos-policy.ts'
import { geoPool } from './geo-pool.ts'
import { geoipAllowedNetwork } from './geoip-allowed-network.ts'
import { geoipBlockedNetwork } from './geoip-blocked-network.ts'
import { headerAcl } from './header-acl.ts'
import { preferredClient } from './preferred-client.ts'
import { rateControlPool } from './rate-control-pool.ts'
import { trustedHost } from './trusted-host.ts'
import { trustedHostGroup } from './trusted-host-group.ts'

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
