import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe } from '@palisade/start-up'

/** Files and folders of rules that somebody named. */
export interface NamedRuleFiles {
  /** Settings such as ModSecurity's recommended ones, read after the proxy's. */
  readonly settings?: string
  /** The Core Rule Set's own settings, `crs-setup.conf`. */
  readonly setup?: string
  /** Its rules, `*.conf`. */
  readonly folder?: string
  /** Its plugins. */
  readonly plugins?: string
}

/** A rule set that may be tried in the place of the one that counts. */
export interface CandidateRuleFiles {
  readonly name: string
  readonly files: NamedRuleFiles
}

/** The members of a configuration that name such files. */
export const ruleFileMembers = [
  'settings',
  'setup',
  'folder',
  'plugins',
] as const satisfies (keyof NamedRuleFiles)[]

/** Which rules a proxy is to load, as its configuration says. */
export interface RuleChoice {
  /** One that is missing keeps the rules from being loaded. */
  readonly named: NamedRuleFiles
  /**
   * A file that names the folder of an installed release, `{"folder": "…"}`, and may change while the proxy runs. It counts where
   * no folder is named, and may be missing.
   */
  readonly choiceFile?: string
  /**
   * Shared libraries that rules ask, with all that these need, for a system that lacks them. The folder may be missing, and is looked at
   * whenever rules are loaded.
   */
  readonly libraryFolder?: string
  readonly withoutRules: WithoutRules
  /** Rule sets by their names that stored requests may be tried against; see `candidateRules`. */
  readonly candidates?: readonly CandidateRuleFiles[]
  /** Where installed releases lie side by side, each of which is such a rule set. */
  readonly releasesFolder?: string
}

/** What becomes of Active services where there are no rules: they are shut, or basic rules or policies alone judge their requests. */
export const withoutRulesValues = ['refuse', 'basic-rules', 'policies-only'] as const
export type WithoutRules = (typeof withoutRulesValues)[number]

/** Where the rules are read from. */
export interface RuleFiles {
  readonly settings: string | undefined
  readonly setup: string | undefined
  readonly folder: string
  readonly plugins: string
}

/** Where Debian's package modsecurity-crs puts them. */
export const debianRules = {
  setup: '/etc/modsecurity/crs/crs-setup.conf',
  folder: '/usr/share/modsecurity-crs/rules',
} as const

/** How whoever has no rules gets some. */
export const howToGetRules =
  'Run "palisade rules install --debian", or "palisade rules install" with a release of the OWASP Core Rule Set.'

/** How whoever has rules that ask libinjection gets that. */
export const howToGetLibraries =
  'Run "palisade rules install --debian --if-missing", which brings the library, or install Debian\'s package libmodsecurity3 and load the rules anew.'

/**
 * The files that the choice means at this moment.
 *
 * @throws Error naming the member and the file that is missing
 */
export function ruleFilesOf(choice: RuleChoice): RuleFiles {
  for (const [member, path] of Object.entries(choice.named)) {
    if (!existsSync(path)) throw new Error(`rules.${member} names ${path}, which does not exist`)
  }
  const folder = choice.named.folder ?? chosenFolder(choice.choiceFile) ?? debianRules.folder
  const beside = (name: string) => join(dirname(folder), name)
  return {
    settings: choice.named.settings,
    setup: choice.named.setup ?? setupOf(folder),
    folder,
    plugins: choice.named.plugins ?? beside('plugins'),
  }
}

/**
 * The settings that belong to the rules of a folder: of the owner, or else as the release ships them. Rules never get the settings
 * of another release.
 */
function setupOf(folder: string): string | undefined {
  if (resolve(folder) === debianRules.folder)
    return existsSync(debianRules.setup) ? debianRules.setup : undefined
  return ['crs-setup.conf', 'crs-setup.conf.example']
    .map((name) => join(dirname(folder), name))
    .find((file) => existsSync(file))
}

const howToChoose = '"palisade rules use RELEASE" names another'

function chosenFolder(choiceFile: string | undefined): string | undefined {
  if (choiceFile === undefined || !existsSync(choiceFile)) return undefined
  let folder: unknown
  try {
    ;({ folder } = JSON.parse(readFileSync(choiceFile, 'utf8')))
  } catch (error) {
    throw new Error(`${choiceFile} cannot be read: ${describe(error)}; ${howToChoose}`)
  }
  if (typeof folder !== 'string') throw new Error(`${choiceFile} names no folder; ${howToChoose}`)
  const path = resolve(dirname(choiceFile), folder)
  if (!existsSync(path)) throw new Error(`${choiceFile} names ${path}, which does not exist; ${howToChoose}`)
  return path
}
