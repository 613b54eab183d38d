import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianPackages } from './debian-packages.ts'
import { RuleFailure } from './rule-failure.ts'
import type { RuleStore } from './rule-store.ts'
import { problemOfLibraries } from './try-rules.ts'

/** Its library finds injections of SQL and of scripts for the rules that ask for that. */
const packageName = 'libmodsecurity3'

/** Where packages put shared libraries, by the machines that these are for: `x86_64-linux-gnu`. */
const libraryFolders = ['usr/lib', 'lib']
const architecture = /-linux-gnu/

/**
 * Brings the library that rules ask whether a value injects something: installed by root, or else unpacked into the store with all
 * libraries that it needs and the system lacks. A system that has it keeps it up by itself.
 *
 * @param folder to put them together in; empty, and removed by the caller
 * @returns whether anything was brought
 * @throws RuleFailure where neither works
 */
export function bringDebianLibraries(store: RuleStore, packages: DebianPackages, folder: string): boolean {
  const none = join(folder, 'none')
  if (problemOfLibraries(none) === '') return false
  if (packages.install(packageName) && problemOfLibraries(none) === '') return true
  const libraries = join(folder, 'libraries')
  copyLibraries(packages.unpack(packageName, 'with-what-it-needs'), libraries)
  const problem = problemOfLibraries(libraries)
  if (problem !== '') throw new RuleFailure(`Debian's package ${packageName} cannot be used here: ${problem}`)
  store.replaceLibraries(libraries)
  return true
}

/** The files alone: the loader knows them by the names that are in them, and not by links. */
function copyLibraries(unpacked: string, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const parent of libraryFolders
    .map((name) => join(unpacked, name))
    .filter((path) => existsSync(path))) {
    for (const source of readdirSync(parent).filter((name) => architecture.test(name))) {
      const files = readdirSync(join(parent, source), { withFileTypes: true })
      for (const { name } of files.filter((file) => file.isFile() && /\.so(\.|$)/.test(file.name))) {
        copyFileSync(join(parent, source, name), join(target, name))
      }
    }
  }
}
