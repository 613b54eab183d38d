import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportedRules } from '@palisade/proxy-protocol'
import {
  type CollectionStorage,
  type InjectionDetector,
  loadRuleSet,
  MemoryCollectionStorage,
  type RuleSet,
  type RuleSource,
} from '@palisade/seclang'
import { openLibinjection } from '@palisade/seclang/libinjection'
import { describe } from '@palisade/start-up'
import { basicRuleSources } from './basic-rules.ts'
import { bodySettings, withoutRulesOfBodies } from './body-settings.ts'
import { ownRuleCount, ownRuleSource } from './own-rules.ts'
import {
  howToGetLibraries,
  howToGetRules,
  type RuleChoice,
  type RuleFiles,
  ruleFilesOf,
  type WithoutRules,
} from './rule-files.ts'
import { withoutOptimizing } from './without-optimizing.ts'

/** Which rules were loaded. */
export interface RuleOrigin {
  /** Where they lie; empty where there are none. */
  readonly folder: string
  /** As the rules call their release, such as `OWASP_CRS/3.3.4`; empty where they do not. */
  readonly release: string
  readonly ruleCount: number
}

/** The rules, once for services that block and once for those that only log; or why there are none. */
export type RuleSets =
  | {
      readonly active: RuleSet
      readonly passive: RuleSet
      readonly notice: string
      readonly origin: RuleOrigin
    }
  | { readonly problem: string }

/** Where the rules of each kind keep what outlives a request. */
export interface RuleStorages {
  of(mode: 'active' | 'passive'): CollectionStorage
}

/** Loads the rules. A failure is returned and not thrown: services without inspection are carried all the same. */
export function loadRuleSets(choice: RuleChoice, storages: RuleStorages): RuleSets {
  return withoutOptimizing(() => loadedRuleSets(choice, storages))
}

function loadedRuleSets(choice: RuleChoice, storages: RuleStorages): RuleSets {
  try {
    const files = ruleFilesOf(choice)
    const surroundings: Surroundings = { storages, injections: injectionsOf(choice) }
    const rules = holdsRules(files.folder) ? ruleSetsFrom(files, surroundings) : undefined
    if (rules !== undefined && rules.origin.ruleCount > 0) return rules
    if (choice.withoutRules !== 'refuse') return withoutRules(choice.withoutRules, files, surroundings)
    return { problem: `There are no rules in ${files.folder}. ${howToGetRules}` }
  } catch (error) {
    return { problem: `The rules cannot be loaded: ${describe(error)}.` }
  }
}

function holdsRules(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.conf'))
}

/** What rules work with besides their files. */
interface Surroundings {
  readonly storages: RuleStorages
  readonly injections: InjectionDetector
}

/** It is looked for each time that rules are loaded: it may have been installed meanwhile. */
function injectionsOf({ libraryFolder }: RuleChoice): InjectionDetector {
  return openLibinjection(libraryFolder === undefined ? {} : { folder: libraryFolder })
}

function ruleSetsFrom(files: RuleFiles, surroundings: Surroundings) {
  const { folder } = files
  const sets = bothOf(sourcesIn(files), surroundings)
  const origin = { folder, release: releaseIn(folder), ruleCount: sets.active.size - ownRuleCount }
  return { ...sets, notice: noticeOf(sets.active), origin }
}

function withoutRules(
  choice: Exclude<WithoutRules, 'refuse'>,
  files: RuleFiles,
  surroundings: Surroundings,
): RuleSets {
  const hasBasicRules = choice === 'basic-rules'
  const judges = hasBasicRules ? 'basic rules and security policies judge' : 'security policies alone judge'
  return {
    ...bothOf([...settingsIn(files), ...(hasBasicRules ? basicRuleSources : [])], surroundings),
    notice: `There are no rules of the Core Rule Set: ${judges} requests. ${howToGetRules}`,
    origin: { folder: '', release: '', ruleCount: 0 },
  }
}

function bothOf(sources: readonly RuleSource[], { storages, injections }: Surroundings) {
  const active = loadRuleSet({
    sources,
    storage: storages.of('active'),
    readsEveryBody: true,
    readsEncodedValues: true,
    readsOtherPlaces: true,
    injections,
  })
  return { active, passive: active.withEngine('detection-only', storages.of('passive')) }
}

/** Each rule of the Core Rule Set names the release; the first file that is always there is asked. */
function releaseIn(folder: string): string {
  const file = join(folder, 'REQUEST-901-INITIALIZATION.conf')
  return existsSync(file) ? (/\bver:'([^']+)'/.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : ''
}

/** What the management is told of them. */
export function reportOf(rules: RuleSets): ReportedRules {
  if ('problem' in rules) return { problem: rules.problem, notice: '', folder: '', release: '', ruleCount: 0 }
  return { ...rules.origin, problem: '', notice: rules.notice }
}

/** Rules of version 3 that its own settings leave out unless somebody asks for them: by country, and by block lists in DNS. */
const rulesLeftOut: ReadonlySet<number> = new Set([910100, 910140])

/** The rest of what is odd is counted, and so are the rest of the rules of a sentence: reports have their limits. */
const sentencesMax = 5
const rulesNamedMax = 20

/** What the administrator should know of rules that work otherwise than they read; empty when there is nothing. */
function noticeOf(rules: RuleSet): string {
  const sentences = [
    ...inactiveSentences(rules),
    ...rules.missingMarkers.map(
      ({ ruleId, label }) =>
        `Rule ${ruleId} skips the rest of its phase when it matches: there is no marker ${label} after it.`,
    ),
  ]
  if (sentences.length > sentencesMax) {
    sentences.splice(sentencesMax, Infinity, `${sentences.length - sentencesMax} more rules are like these.`)
  }
  if (rules.inactiveRules.some(({ reason }) => reason.startsWith('libinjection')))
    sentences.push(howToGetLibraries)
  const complaint = complaintOf(rules)
  if (complaint !== undefined) sentences.unshift(complaint)
  return sentences.join(' ')
}

/** Which rules can never match, by the reason. */
function inactiveSentences({ inactiveRules }: RuleSet): string[] {
  const inactive = inactiveRules.filter(({ ruleId }) => !rulesLeftOut.has(ruleId))
  return Array.from(
    Map.groupBy(inactive, ({ reason }) => reason),
    ([reason, rules]) => {
      const unnamed = rules.length - rulesNamedMax
      const firstIds = rules.slice(0, rulesNamedMax).map(({ ruleId }) => ruleId)
      const ids = `${firstIds.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`
      return `${rules.length === 1 ? 'Rule' : 'Rules'} ${ids} can never match here: ${reason}.`
    },
  )
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

/** What is read before any rule. */
function settingsIn({ settings, setup }: RuleFiles): RuleSource[] {
  return [
    { name: 'settings of bodies', text: bodySettings },
    ...[settings, setup].filter((file) => file !== undefined).map((file) => ({ file })),
    {
      name: 'settings of the proxy',
      text: 'SecRuleEngine On\nSecRequestBodyAccess On\nSecResponseBodyAccess On',
    },
  ]
}

/** Plugins, which the Core Rule Set has since version 4, are read around its rules: `*-config.conf`, `*-before.conf`, `*-after.conf`. */
function sourcesIn(files: RuleFiles): RuleSource[] {
  const ofPlugins = (kind: string): RuleSource => ({
    name: 'plugins',
    text: `IncludeOptional ${join(files.plugins, `*-${kind}.conf`)}`,
  })
  return [
    ...settingsIn(files),
    ofPlugins('config'),
    ofPlugins('before'),
    { name: 'rules of settings', text: withoutRulesOfBodies },
    ownRuleSource,
    { name: 'rules', text: `Include ${join(files.folder, '*.conf')}` },
    ofPlugins('after'),
  ]
}
