import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CollectionStorage,
  loadRuleSet,
  MemoryCollectionStorage,
  type RuleSet,
  type RuleSource,
} from '@palisade/seclang'
import type { RuleFiles } from '../configuration.ts'
import { describe } from '../failure.ts'
import { bodySettings, withoutRulesOfBodies } from './body-settings.ts'

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
    const active = loadRuleSet({
      sources: sourcesIn(files),
      storage: storages.of('active'),
      readsEveryBody: true,
    })
    if (active.size === 0) return { problem: `There are no rules in ${files.folder}.` }
    const passive = active.withEngine('detection-only', storages.of('passive'))
    return { active, passive, notice: noticeOf(active) }
  } catch (error) {
    return { problem: `The rules cannot be loaded: ${describe(error)}.` }
  }
}

/** What the administrator should know of rules that work otherwise than they read; empty when there is nothing. */
function noticeOf(rules: RuleSet): string {
  const { inactiveRules, missingMarkers } = rules
  const sentences = missingMarkers.map(
    ({ ruleId, label }) =>
      `Rule ${ruleId} skips the rest of its phase when it matches: there is no marker ${label} after it.`,
  )
  if (inactiveRules.length > 0) sentences.unshift(`${inactiveRules.length} rules can never match here.`)
  const complaint = complaintOf(rules)
  if (complaint !== undefined) sentences.unshift(complaint)
  return sentences.join(' ')
}

/** What a rule says that answers any request with an error of the server, because settings of rules are missing or contradict each other. */
function complaintOf(rules: RuleSet): string | undefined {
  const transaction = rules.withEngine('on', new MemoryCollectionStorage()).newTransaction({
    connection: { clientAddress: '192.0.2.1', clientPort: 1024, serverAddress: '192.0.2.2', serverPort: 80 },
  })
  const interruption =
    transaction.requestHeaders({
      method: 'GET',
      uri: '/',
      protocol: 'HTTP/1.1',
      headers: ['Host', 'www.example.org', 'User-Agent', 'Mozilla/5.0', 'Accept', '*/*'],
    }) ?? transaction.requestBody(undefined)
  transaction.finish()
  if (interruption === undefined || interruption.status < 500) return undefined
  const { ruleId, message } = interruption
  return `Rule ${ruleId} refuses every request where services are Active: ${message || 'it does not say why'}.`
}

/** Plugins, which the Core Rule Set has since version 4, are read around its rules: `*-config.conf`, `*-before.conf`, `*-after.conf`. */
function sourcesIn({ settings, setup, folder, plugins }: RuleFiles): RuleSource[] {
  const ofPlugins = (kind: string): RuleSource => ({
    name: 'plugins',
    text: `IncludeOptional ${join(plugins, `*-${kind}.conf`)}`,
  })
  return [
    { name: 'settings of bodies', text: bodySettings },
    ...[settings ?? '', setup].filter((file) => existsSync(file)).map((file) => ({ file })),
    {
      name: 'settings of the proxy',
      text: 'SecRuleEngine On\nSecRequestBodyAccess On\nSecResponseBodyAccess On',
    },
    ofPlugins('config'),
    ofPlugins('before'),
    { name: 'rules of settings', text: withoutRulesOfBodies },
    { name: 'rules', text: `Include ${join(folder, '*.conf')}` },
    ofPlugins('after'),
  ]
}
