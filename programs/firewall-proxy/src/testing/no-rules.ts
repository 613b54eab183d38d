import { loadRuleSet } from '@palisade/seclang'
import type { RuleSets } from '../inspection/rule-sets.ts'

/** Rules that find nothing, with which services that block are open. */
export function noRules(): RuleSets {
  const rules = loadRuleSet({ sources: [{ name: 'none', text: 'SecRuleEngine Off' }] })
  return { active: rules, passive: rules, notice: '', origin: { folder: '', release: '', ruleCount: 0 } }
}
