import { actionPolicy } from '../../features/action-policies/fields.ts'
import { dataTheftProtection } from '../../features/data-theft-protection/fields.ts'
import { globalAcl } from '../../features/url-acls/global-acl.ts'
import type { Kind } from '../../kinds/kind.ts'
import { securityPolicy } from './security-policy.ts'

export const securityPoliciesKinds: readonly Kind[] = [
  securityPolicy,
  actionPolicy,
  dataTheftProtection,
  globalAcl,
]
