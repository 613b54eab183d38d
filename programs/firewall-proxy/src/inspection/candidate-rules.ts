import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ruleSetNamesMax } from '@palisade/proxy-protocol'
import { type CandidateRuleFiles, debianRules, type NamedRuleFiles, type RuleChoice } from './rule-files.ts'

/** Debian's package among the releases. */
const debianRelease = 'debian'

/**
 * The rule sets that stored requests may be tried against, by name: those that the configuration names, and the installed releases. They
 * are looked up each time, since a release may have been installed meanwhile.
 */
export function candidateRules(choice: RuleChoice): ReadonlyMap<string, RuleChoice> {
  const all = [...releasesIn(choice.releasesFolder), ...(choice.candidates ?? [])].slice(-ruleSetNamesMax)
  return new Map(all.map(({ name, files }) => [name, withFiles(choice, files)]))
}

function releasesIn(folder: string | undefined): CandidateRuleFiles[] {
  if (folder === undefined) return []
  const debian = existsSync(debianRules.folder)
    ? [{ name: debianRelease, files: { folder: debianRules.folder } }]
    : []
  const names = entriesIn(folder).filter((name) => /^\d[\w.-]{0,63}$/.test(name))
  return [...debian, ...names.map((name) => ({ name, files: { folder: join(folder, name, 'rules') } }))]
}

/** None where the folder is not there, or may not be read: then no release can be tried, and all else goes on. */
function entriesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A candidate that names no folder has the rules that count, with other settings or plugins. Rules never get the settings of others. */
function withFiles(choice: RuleChoice, files: NamedRuleFiles): RuleChoice {
  const { settings } = choice.named
  const inherited = files.folder === undefined ? choice.named : settings === undefined ? {} : { settings }
  return { ...choice, named: { ...inherited, ...files }, withoutRules: 'refuse' }
}
