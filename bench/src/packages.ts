import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs Debian packages whose programs are not there; a benchmark's peers come from them.
 *
 * @param packageOfProgram path of a program → name of its package
 * @throws Error with the command to enter, when this is not root
 */
export function requirePackages(packageOfProgram: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packageOfProgram).flatMap(([path, name]) => (existsSync(path) ? [] : [name]))
  if (missing.length === 0) return
  if (process.getuid?.() !== 0) throw new Error(`not installed: apt-get install ${missing.join(' ')}`)
  execFileSync('apt-get', ['-qq', 'update'])
  execFileSync('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', ...missing], {
    stdio: 'ignore',
  })
}
