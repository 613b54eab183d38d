import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { contentRuleReader } from '../content-rules/compile.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { pageNamed } from '../response-pages/compile.ts'
import { contentRuleMode, inspectionMode } from '../services/inspection.ts'
import { ddosPolicyReader } from './compile.ts'
import { ddosPolicy } from './ddos-policy.ts'

/** What the policies of a service against floods ask for that has no effect: sentences. */
export function ineffectiveCaptcha(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const asking = childrenOf(service, ddosPolicy.name).flatMap((policy) => {
    const { asks } = ddosPolicyReader.of(policy)
    return asks === 'none' ? [] : [{ name: policy.name, asks }]
  })
  if (asking.length === 0) return []
  const mode = inspectionMode(service)
  if (mode === 'off') return ['No client is challenged by ddos-policies: the traffic is not inspected.']
  const blocks =
    mode === 'active' ||
    childrenOf(service, ruleGroup.name).some(
      (rule) => contentRuleReader.of(rule) !== undefined && contentRuleMode.of(rule).isActive,
    )
  const page = pageNamed('default-captcha-response-page', service, snapshot)
  return [
    ...asking
      .filter(({ asks }) => asks === 'suspicious' && !blocks)
      .map(
        ({ name }) =>
          `The policy ${name} of ddos-policies challenges nobody: no client is suspicious while no request is refused.`,
      ),
    ...(page.body.includes('%challenge')
      ? []
      : ['The page default-captcha-response-page is not shown: %challenge is not in its body.']),
  ]
}
