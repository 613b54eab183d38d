import type {
  SnapshotKey,
  SnapshotOwnPolicy,
  SnapshotRuleChecks,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { CaptchaSystemSettings } from '../features/captcha/compile.ts'
import { ruleGroup } from '../features/content-rules/rule-group.ts'
import { compileCookieSecurity } from '../features/cookie-security/compile.ts'
import type { FormSettings } from '../features/forms/compile.ts'
import { compileJsonProfiles } from '../features/json-profiles/compile.ts'
import { contentRuleMode, policyOfContentRule, policyOfService } from '../features/services/inspection.ts'
import { compileProfiles } from '../features/website-profiles/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { optional } from '../objects/reading.ts'
import type { CheckSources } from './compile-checks.ts'
import type { PolicyLibrary } from './compile-policy.ts'

/** What services have in common. */
export interface SharedConfiguration extends Omit<CheckSources, 'protection'> {
  readonly policies: PolicyLibrary
  /** What forms get, besides the keys for links. */
  readonly forms: FormSettings
  readonly localUsers: readonly ConfigurationObject[]
  readonly captcha: CaptchaSystemSettings
  /** With which links, logins and cookies are sealed. */
  readonly keys: {
    readonly urls: readonly SnapshotKey[]
    readonly logins: readonly SnapshotKey[]
    readonly cookies: readonly SnapshotKey[]
    /** The key of the digests by which learnt values are told apart. */
    readonly learning: string
    /** The key by which cookies name servers. */
    readonly persistence: string
  }
}

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
  const isActive = mode === 'active' || contentRuleMode.of(rule).isActive
  if (own === undefined && isActive === (mode === 'active')) return undefined
  return { mode: isActive ? 'active' : 'passive', ...optional('own', own) }
}

function ownPolicy(
  rule: ConfigurationObject,
  service: ConfigurationObject,
  { policies, keys, snapshot }: SharedConfiguration,
): SnapshotOwnPolicy | undefined {
  const [named] = policyOfContentRule.referencesOf(rule)
  if (named?.name === ruleGroup.fields['web-firewall-policy'].default) return undefined
  const [policy] = policyOfContentRule.of(rule, snapshot)
  if (policy === undefined || policy === policyOfService.of(service, snapshot)[0]) return undefined
  const compiled = policies.compiled(policy)
  const protection = compiled.policy.parameterProtection
  return {
    policy: compiled.digest,
    ...optional('cookieSecurity', compileCookieSecurity(policy, keys.cookies)),
    ...optional('profiles', compileProfiles(service, protection, snapshot)),
    ...optional('jsonProfiles', compileJsonProfiles(service, protection, snapshot)),
  }
}
