import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianPackages } from './debian-packages.ts'
import { debianRelease, debianRuleFolder, type InstalledRelease, type RuleStore } from './rule-store.ts'
import { releaseIn } from './unpack-release.ts'

const packageName = 'modsecurity-crs'

/**
 * Brings Debian's package of the Core Rule Set: installed by root, or else unpacked into the store.
 *
 * @param folder to put it together in; empty, and removed by the caller
 * @throws RuleFailure where neither works
 */
export function bringDebianRules(
  store: RuleStore,
  packages: DebianPackages,
  folder: string,
): InstalledRelease {
  if (packages.install(packageName)) {
    return { name: debianRelease, folder: debianRuleFolder, isChosen: true }
  }
  const unpacked = packages.unpack(packageName, 'alone')
  const release = join(folder, 'release')
  copyRules(unpacked, release)
  return store.add(release, releaseIn(join(release, 'rules'), packageName))
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
