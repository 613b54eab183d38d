import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RuleFailure } from './rule-failure.ts'
import { debianRelease, debianRuleFolder, type InstalledRelease, type RuleStore } from './rule-store.ts'
import { releaseIn } from './unpack-release.ts'

const packageName = 'modsecurity-crs'
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
  if (process.getuid?.() === 0 && installPackage()) {
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

function installPackage(): boolean {
  const install = () => run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', packageName])
  if (install()) return true
  // A fresh system has no list of packages.
  return run('apt-get', ['-qq', 'update']) && install()
}

/** @returns the folder in which the package was unpacked */
function downloadPackage(folder: string): string {
  // Lists of packages of our own, where the system has none or they are not ours to renew.
  const own = ['-o', `Dir::State=${folder}/state`, '-o', `Dir::Cache=${folder}/cache`]
  for (const name of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const download = (options: readonly string[]) =>
    run('apt-get', ['-qq', ...options, 'download', packageName], folder)
  const isThere = download([]) || (run('apt-get', ['-qq', ...own, 'update']) && download(own))
  const file = readdirSync(folder).find((name) => name.endsWith('.deb'))
  const unpacked = join(folder, 'package')
  if (!isThere || file === undefined || !run('dpkg-deb', ['-x', join(folder, file), unpacked])) {
    throw new RuleFailure(`Debian's package ${packageName} could not be downloaded.`)
  }
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

function run(command: string, args: readonly string[], cwd?: string): boolean {
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: commandMaxMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
