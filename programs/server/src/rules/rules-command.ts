import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FolderFailure, readOptions, UsageError } from '@palisade/start-up'
import { ConfigurationError, loadConfiguration } from '../configuration/load.ts'
import { overridableMembers } from '../configuration/overrides.ts'
import type { Configuration } from '../configuration/schema.ts'
import { bringDebianLibraries } from './debian-libraries.ts'
import { DebianPackages } from './debian-packages.ts'
import { bringDebianRules } from './debian-rules.ts'
import { fetchArchive } from './fetch-archive.ts'
import { RuleFailure } from './rule-failure.ts'
import { debianRuleFolder, RuleStore } from './rule-store.ts'
import { problemOfLibraries, tryRules } from './try-rules.ts'
import { unpackRelease } from './unpack-release.ts'

/** What is told in its own words; anything else is a fault of ours. */
const failures = [RuleFailure, ConfigurationError, FolderFailure]

/**
 * `palisade rules`: installs and chooses rules.
 *
 * @param argv what follows "rules" on the command line
 * @returns the exit status: 0, 1 when it failed, 2 for a wrong command line or configuration
 */
export async function rulesCommand(argv: readonly string[]): Promise<number> {
  try {
    const { positionals, values } = parse(argv)
    const { config, members } = settingsIn(values)
    const configuration = loadConfiguration({ file: config, environment: process.env, flags: members })
    const [task = '', ...words] = positionals
    await perform(task, words, values, configuration)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}; see palisade rules --help\n`)
      return 2
    }
    if (!(error instanceof Error && failures.some((failure) => error instanceof failure))) throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof ConfigurationError ? 2 : 1
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

const ownFlags = {
  config: { type: 'string' },
  sha256: { type: 'string' },
  debian: { type: 'boolean' },
  'if-missing': { type: 'boolean' },
} as const

function parse(argv: readonly string[]): { positionals: string[]; values: Values } {
  const options = Object.fromEntries(
    overridableMembers.map(({ flag }) => [flag, { type: 'string' as const }]),
  )
  return readOptions(argv, { ...options, ...ownFlags }, { positionals: true })
}

function settingsIn(values: Values): { config: string | undefined; members: Record<string, string> } {
  const members = Object.entries(values).flatMap(([flag, value]) =>
    typeof value === 'string' && !Object.hasOwn(ownFlags, flag) ? [[flag, value] as const] : [],
  )
  return {
    config: typeof values.config === 'string' ? values.config : undefined,
    members: Object.fromEntries(members),
  }
}

async function perform(
  task: string,
  words: readonly string[],
  values: Values,
  { dataDirectory, firewall }: Configuration,
): Promise<void> {
  const store = new RuleStore(resolve(dataDirectory))
  const expected = task === 'use' || (task === 'install' && values.debian !== true) ? 1 : 0
  if (words.length > expected) throw new UsageError(`"${words.at(-1)}" is too much`)
  if (words.length < expected) {
    throw new UsageError(
      task === 'use' ? 'the release is missing' : 'the file or address of the release is missing',
    )
  }
  const [word = ''] = words
  switch (task) {
    case 'install':
      if (values.debian !== true) return install(store, word, values)
      if (values['if-missing'] === true && !firewall.runProxy) return
      return installDebian(store, {
        rules: values['if-missing'] !== true || !hasRules(store, firewall.ruleFolder),
        libraries: values['if-missing'] !== true || problemOfLibraries(store.libraryFolder) !== '',
      })
    case 'list':
      return list(store)
    case 'use':
      return use(store, word, firewall.ruleFolder)
    case 'status':
      return status(store, firewall.ruleFolder)
    default:
      throw new UsageError(task === '' ? 'what to do is missing' : `there is no "palisade rules ${task}"`)
  }
}

function hasRules(store: RuleStore, ruleFolder: string | undefined): boolean {
  return ruleFolder !== undefined || store.releases().some(({ isChosen }) => isChosen)
}

async function install(store: RuleStore, source: string, values: Values): Promise<void> {
  const folder = store.newFolder()
  try {
    const sha256 = typeof values.sha256 === 'string' ? values.sha256 : undefined
    const archive = await fetchArchive(source, sha256)
    const unpacked = join(folder, 'release')
    const name = unpackRelease(archive.bytes, source, unpacked)
    const trial = tryRules(join(unpacked, 'rules'), store.libraryFolder)
    const isFirst = !hasRules(store, undefined)
    const release = store.add(unpacked, name)
    say(`${name} is installed: ${trial.ruleCount} rules, SHA-256 of the archive ${archive.sha256}.`)
    if (isFirst) store.choose(release)
    say(isFirst ? 'It counts from now on.' : `To have it count: palisade rules use ${name}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Brings what is wanted of Debian's packages. Neither keeps the other from being brought. */
function installDebian(
  store: RuleStore,
  parts: { readonly rules: boolean; readonly libraries: boolean },
): void {
  if (!parts.rules && !parts.libraries) return
  if (!DebianPackages.areHere) {
    throw new RuleFailure('There is no apt-get here: install a release with "palisade rules install FILE".')
  }
  const folder = store.newFolder()
  try {
    const packages = new DebianPackages(folder)
    // Before the rules, so that these are tried, and loaded, with what they ask.
    if (parts.libraries) installDebianLibraries(store, packages, folder)
    if (parts.rules) installDebianRules(store, packages, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function installDebianLibraries(store: RuleStore, packages: DebianPackages, folder: string): void {
  try {
    if (!bringDebianLibraries(store, packages, folder)) return
    say("What rules ask about injections is installed, of Debian's package libmodsecurity3.")
    const chosenRelease = store.releases().find(({ isChosen }) => isChosen)
    if (chosenRelease !== undefined) store.choose(chosenRelease)
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error
    say(
      `${error.message}. Rules that find injections of SQL and of scripts sleep; "palisade rules status" names them.`,
    )
  }
}

function installDebianRules(store: RuleStore, packages: DebianPackages, folder: string): void {
  say("Bringing the OWASP Core Rule Set, Debian's package modsecurity-crs …")
  const release = bringDebianRules(store, packages, folder)
  const { ruleCount } = tryRules(release.folder, store.libraryFolder)
  store.choose(release)
  say(`The Core Rule Set is installed in ${release.folder}: ${ruleCount} rules.`)
}

function list(store: RuleStore): void {
  const releases = store.releases()
  if (releases.length === 0) say('No rules are installed; "palisade rules install" installs some.')
  for (const { name, folder, isChosen } of releases)
    say(`${isChosen ? '*' : ' '} ${name.padEnd(12)} ${folder}`)
}

function use(store: RuleStore, name: string, ruleFolder: string | undefined): void {
  if (ruleFolder !== undefined) {
    throw new RuleFailure(
      `The configuration names firewall.ruleFolder ${ruleFolder}, which counts before any release: leave it out.`,
    )
  }
  const release = store.find(name)
  const { ruleCount, notice } = tryRules(release.folder, store.libraryFolder)
  store.choose(release)
  say(`${name} counts from now on: ${ruleCount} rules.`)
  if (notice !== '') say(notice)
}

function status(store: RuleStore, ruleFolder: string | undefined): void {
  const chosenRelease = store.releases().find(({ isChosen }) => isChosen)
  const folder = ruleFolder === undefined ? chosenRelease?.folder : resolve(ruleFolder)
  if (folder === undefined || !existsSync(folder)) {
    throw new RuleFailure(
      `There are no rules${folder === undefined ? '' : ` in ${folder}`}: Active services are shut. Install Debian's package modsecurity-crs (it goes to ${debianRuleFolder}), or a release with "palisade rules install".`,
    )
  }
  const { release, ruleCount, notice } = tryRules(folder, store.libraryFolder)
  say(`${release === '' ? 'Rules of no named release' : release}: ${ruleCount} rules in ${folder}.`)
  if (notice !== '') say(notice)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
