import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadRuleSet, type RuleSet, type RuleSource } from '@palisade/seclang'
import type { RuleFiles } from '../configuration.ts'
import { describe } from '../failure.ts'

/** The rules, once for services that block and once for those that only log; or why there are none. */
export type RuleSets =
  | { readonly active: RuleSet; readonly passive: RuleSet; readonly notice: string }
  | { readonly problem: string }

/**
 * Loads the rules. What goes wrong is told and not thrown: services without inspection are carried all the same.
 */
export function loadRuleSets(files: RuleFiles): RuleSets {
  if (!existsSync(files.folder)) {
    return { problem: `The rules are not there: ${files.folder} does not exist.` }
  }
  try {
    const active = loadRuleSet({ sources: sourcesIn(files, 'On') })
    if (active.size === 0) return { problem: `There are no rules in ${files.folder}.` }
    const passive = loadRuleSet({ sources: sourcesIn(files, 'DetectionOnly') })
    const inactive = active.inactiveRules.length
    return { active, passive, notice: inactive === 0 ? '' : `${inactive} rules can never match here.` }
  } catch (error) {
    return { problem: `The rules cannot be loaded: ${describe(error)}.` }
  }
}

function sourcesIn({ settings, setup, folder }: RuleFiles, engine: 'On' | 'DetectionOnly'): RuleSource[] {
  return [
    ...[settings, setup].filter((file) => existsSync(file)).map((file) => ({ file })),
    {
      name: 'settings of the proxy',
      text: `SecRuleEngine ${engine}\nSecRequestBodyAccess On\nSecResponseBodyAccess On`,
    },
    { name: 'rules', text: `Include ${join(folder, '*.conf')}` },
  ]
}
