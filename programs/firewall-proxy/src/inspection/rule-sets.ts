import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CollectionStorage, loadRuleSet, type RuleSet, type RuleSource } from '@palisade/seclang'
import type { RuleFiles } from '../configuration.ts'
import { describe } from '../failure.ts'

/** The rules, once for services that block and once for those that only log; or why there are none. */
export type RuleSets =
  | { readonly active: RuleSet; readonly passive: RuleSet; readonly notice: string }
  | { readonly problem: string }

/**
 * Loads the rules. What goes wrong is told and not thrown: services without inspection are carried all the same.
 *
 * @param storages where the rules of each kind keep what outlives a request
 */
export function loadRuleSets(
  files: RuleFiles,
  storages: { of(mode: 'active' | 'passive'): CollectionStorage },
): RuleSets {
  if (!existsSync(files.folder)) {
    return { problem: `The rules are not there: ${files.folder} does not exist.` }
  }
  try {
    const active = loadRuleSet({ sources: sourcesIn(files), storage: storages.of('active') })
    if (active.size === 0) return { problem: `There are no rules in ${files.folder}.` }
    const passive = active.withEngine('detection-only', storages.of('passive'))
    const inactive = active.inactiveRules.length
    return { active, passive, notice: inactive === 0 ? '' : `${inactive} rules can never match here.` }
  } catch (error) {
    return { problem: `The rules cannot be loaded: ${describe(error)}.` }
  }
}

/** Plugins, which the Core Rule Set has since version 4, are read around its rules: `*-config.conf`, `*-before.conf`, `*-after.conf`. */
function sourcesIn({ settings, setup, folder, plugins }: RuleFiles): RuleSource[] {
  const ofPlugins = (kind: string): RuleSource => ({
    name: 'plugins',
    text: `IncludeOptional ${join(plugins, `*-${kind}.conf`)}`,
  })
  return [
    ...[settings, setup].filter((file) => existsSync(file)).map((file) => ({ file })),
    {
      name: 'settings of the proxy',
      text: 'SecRuleEngine On\nSecRequestBodyAccess On\nSecResponseBodyAccess On',
    },
    ofPlugins('config'),
    ofPlugins('before'),
    { name: 'rules', text: `Include ${join(folder, '*.conf')}` },
    ofPlugins('after'),
  ]
}
