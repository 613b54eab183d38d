import type { SnapshotOwnPolicy, SnapshotRuleChecks, SnapshotService } from '@palisade/proxy-protocol'
import { compileJsonProfiles } from '../features/json-profiles/compile.ts'
import { compileProfiles } from '../features/website-profiles/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { compileCookieSecurity } from './compile-cookies.ts'
import type { SharedConfiguration } from './compile-service.ts'
import { optional, referredBy } from './reading.ts'

const policyMember = 'web-firewall-policy'

/**
 * What the requests of a content rule are judged by. Its members leave it to the service where they have their defaults, which
 * every rule has that says nothing: so a rule may be stricter than its service, and none is milder by mistake.
 *
 * @param mode that of the service
 * @returns undefined where it is what the service says
 */
export function compileRuleChecks(
  rule: ConfigurationObject,
  service: ConfigurationObject,
  mode: SnapshotService['inspection']['mode'],
  shared: SharedConfiguration,
): SnapshotRuleChecks | undefined {
  if (mode === 'off') return undefined
  const own = ownPolicy(rule, service, shared)
  const isActive = mode === 'active' || rule.content.values.mode === 'Active'
  if (own === undefined && isActive === (mode === 'active')) return undefined
  return { mode: isActive ? 'active' : 'passive', ...optional('own', own) }
}

function ownPolicy(
  rule: ConfigurationObject,
  service: ConfigurationObject,
  { policies, keys, snapshot }: SharedConfiguration,
): SnapshotOwnPolicy | undefined {
  if (rule.content.values[policyMember] === rule.kind.fields.defaults[policyMember]) return undefined
  const [policy] = referredBy(rule, undefined, policyMember, snapshot)
  const [policyOfService] = referredBy(service, 'basic-security', policyMember, snapshot)
  if (policy === undefined || policy === policyOfService) return undefined
  const compiled = policies.compiled(policy)
  const protection = compiled.policy.parameterProtection
  return {
    policy: compiled.digest,
    ...optional(
      'cookieSecurity',
      compileCookieSecurity(valuesOf(policy.content, 'cookie-security'), keys.cookies),
    ),
    ...optional('profiles', compileProfiles(service, protection, snapshot)),
    ...optional('jsonProfiles', compileJsonProfiles(service, protection, snapshot)),
  }
}
