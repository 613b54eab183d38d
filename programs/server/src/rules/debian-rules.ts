import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RuleFailure } from './rule-failure.ts'
import { debianRelease, debianRuleFolder, type InstalledRelease, type RuleStore } from './rule-store.ts'
import { releaseIn } from './unpack-release.ts'

const packageName = 'modsecurity-crs'
/** Its library finds injections of SQL and of scripts for the rules that ask for that. */
const detectionPackage = 'libmodsecurity3'
const detectionLibrary = 'libmodsecurity.so.3'
const commandMaxMs = 180_000

/**
 * Brings Debian's package of the Core Rule Set: installs it as root, and otherwise downloads it and unpacks it into the store, where
 * it needs nobody's permission.
 *
 * @throws RuleFailure where neither works
 */
export function bringDebianRules(store: RuleStore): InstalledRelease {
  if (!existsSync('/usr/bin/apt-get')) {
    throw new RuleFailure('There is no apt-get here: install a release with "palisade rules install FILE".')
  }
  if (process.getuid?.() === 0 && installPackage(packageName)) {
    return { name: debianRelease, folder: debianRuleFolder, isChosen: true }
  }
  const folder = store.newFolder()
  try {
    const unpacked = downloadPackage(folder)
    const release = join(folder, 'release')
    copyRules(unpacked, release)
    return store.add(release, releaseIn(join(release, 'rules'), packageName))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the rules that find injections have what they ask. */
export function hasDetection(): boolean {
  return readdirSync('/usr/lib').some((folder) => existsSync(join('/usr/lib', folder, detectionLibrary)))
}

/**
 * Brings the library that finds injections, where it is missing and this process may install packages.
 *
 * @returns what to do where it stays missing; undefined where it is there
 */
export function bringDetection(): string | undefined {
  if (hasDetection()) return undefined
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installPackage(detectionPackage)
  return hasDetection()
    ? undefined
    : `Rules that find injections of SQL and of scripts sleep until root has installed Debian's package ${detectionPackage}.`
}

function installPackage(name: string): boolean {
  const install = () => run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name]).succeeded
  // A fresh system has no list of packages.
  return install() || (run('apt-get', ['-qq', 'update']).succeeded && install())
}

/** @returns the folder in which the package was unpacked */
function downloadPackage(folder: string): string {
  // Lists of packages of our own, where the system has none or they are not ours to renew.
  const own = ['-o', `Dir::State=${folder}/state`, '-o', `Dir::Cache=${folder}/cache`]
  for (const name of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const download = (options: readonly string[]) => {
    const downloaded = run('apt-get', ['-qq', ...options, 'download', packageName], folder)
    const file = readdirSync(folder).find((name) => name.endsWith('.deb'))
    return { ...downloaded, file: downloaded.succeeded ? file : undefined }
  }
  const first = download([])
  if (first.file !== undefined) return unpackPackage(join(folder, first.file), folder)
  const updated = run('apt-get', ['-qq', ...own, 'update'])
  const { file, reason } = updated.succeeded ? download(own) : { ...updated, file: undefined }
  if (file === undefined) {
    throw new RuleFailure(`Debian's package ${packageName} could not be downloaded: ${reason}`)
  }
  return unpackPackage(join(folder, file), folder)
}

function unpackPackage(file: string, folder: string): string {
  const unpacked = join(folder, 'package')
  const { succeeded, reason } = run('dpkg-deb', ['-x', file, unpacked])
  if (!succeeded) throw new RuleFailure(`Debian's package ${packageName} could not be unpacked: ${reason}`)
  return unpacked
}

/** The package's rules link to its settings in /etc, which lie beside them in what was unpacked. */
function copyRules(unpacked: string, release: string): void {
  const source = join(unpacked, debianRuleFolder)
  const target = join(release, 'rules')
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name)
    const file = entry.isSymbolicLink() ? join(unpacked, readlinkSync(from)) : from
    if (existsSync(file)) cpSync(file, join(target, entry.name))
  }
  const setup = join(unpacked, 'etc/modsecurity/crs/crs-setup.conf')
  if (existsSync(setup)) cpSync(setup, join(release, 'crs-setup.conf'))
}

/** What a command ended with. Its words are only for the case that nothing else helps: a first attempt may fail. */
function run(
  command: string,
  args: readonly string[],
  cwd?: string,
): { readonly succeeded: boolean; readonly reason: string } {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: commandMaxMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  return { succeeded: status === 0, reason: reason || `${command} ended with ${status}` }
}
