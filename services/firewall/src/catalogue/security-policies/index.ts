import { actionPolicy } from '../../features/action-policies/fields.ts'
import { globalAcl } from '../../features/url-acls/global-acl.ts'
import type { Kind } from '../../kinds/kind.ts'
import { dataTheftProtection } from './data-theft-protection.ts'
import { securityPolicy } from './security-policy.ts'

export const securityPoliciesKinds: readonly Kind[] = [
  securityPolicy,
  actionPolicy,
  dataTheftProtection,
  globalAcl,
]
