import type { Kind } from '../../kinds/kind.ts'
import { actionPolicy } from './action-policy.ts'
import { dataTheftProtection } from './data-theft-protection.ts'
import { globalAcl } from './global-acl.ts'
import { securityPolicy } from './security-policy.ts'

export const securityPoliciesKinds: readonly Kind[] = [
  securityPolicy,
  actionPolicy,
  dataTheftProtection,
  globalAcl,
]
