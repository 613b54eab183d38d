import type { Kind } from '../../kinds/kind.ts'
import { actionPolicy } from '../action-policies/fields.ts'
import { dataTheftProtection } from '../data-theft-protection/fields.ts'
import { globalAcl } from '../url-acls/global-acl.ts'
import { securityPolicy } from './security-policy.ts'

/** Security policies, followed by the kinds whose objects lie inside them. */
export const securityPoliciesKinds: readonly Kind[] = [
  securityPolicy,
  actionPolicy,
  dataTheftProtection,
  globalAcl,
]
