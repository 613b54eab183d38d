import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RuleFailure } from './rule-failure.ts'

const commandMaxMs = 180_000

/** Apt as it is told to ask nothing, and to give up soon where there is no network. */
const quiet = ['-qq', '-y', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=0']

/**
 * Debian's packages, whose signatures apt checks: root installs them; everybody else downloads and unpacks them, which needs nobody's
 * permission. What is downloaded lies in a folder that whoever made this removes.
 */
export class DebianPackages {
  readonly #folder: string
  /** Why lists of packages of our own could not be brought, empty where they could; undefined before that was tried. */
  #listsProblem: string | undefined

  /** @param folder empty, and this object's alone */
  constructor(folder: string) {
    this.#folder = folder
  }

  static get areHere(): boolean {
    return existsSync('/usr/bin/apt-get')
  }

  /** Installs a package where this process may. @returns whether it is installed now */
  install(name: string): boolean {
    if (process.getuid?.() !== 0) return false
    const install = () =>
      run('apt-get', [...quiet, '--no-install-recommends', 'install', name]).problem === ''
    // A fresh system has no list of packages.
    return install() || (run('apt-get', [...quiet, 'update']).problem === '' && install())
  }

  /**
   * Downloads a package and unpacks it, alone or with all packages that it needs and this system lacks.
   *
   * @returns the folder in which it was unpacked
   * @throws RuleFailure saying what did not work
   */
  unpack(name: string, extent: 'alone' | 'with-what-it-needs'): string {
    const unpacked = join(this.#folder, 'unpacked', name)
    mkdirSync(unpacked, { recursive: true, mode: 0o700 })
    for (const file of this.#download(name, extent)) {
      const { problem } = run('dpkg-deb', ['-x', file, unpacked])
      if (problem !== '') throw new RuleFailure(`Debian's package ${name} could not be unpacked: ${problem}`)
    }
    return unpacked
  }

  /** By the system's lists of packages or, where it has none or they are old, by own ones. */
  #download(name: string, extent: 'alone' | 'with-what-it-needs'): string[] {
    const target = join(this.#folder, 'downloaded', name)
    const task = extent === 'alone' ? ['download'] : ['--no-install-recommends', '--download-only', 'install']
    const download = (lists: readonly string[]) => {
      rmSync(target, { recursive: true, force: true })
      mkdirSync(join(target, 'partial'), { recursive: true })
      const options = [...lists, '-o', `Dir::Cache::archives=${target}`, ...this.#ownCache()]
      const { problem } = run('apt-get', [...quiet, ...options, ...task, name], target)
      const files = readdirSync(target).filter((file) => file.endsWith('.deb'))
      return {
        problem: problem === '' && files.length === 0 ? 'apt-get has nothing to download' : problem,
        files,
      }
    }
    let { problem, files } = download([])
    if (problem !== '') {
      problem = this.#bringOwnLists()
      if (problem === '') ({ problem, files } = download(this.#ownState()))
    }
    if (problem !== '') throw new RuleFailure(`Debian's package ${name} could not be downloaded: ${problem}`)
    return files.map((file) => join(target, file))
  }

  /** Once: without network a second attempt would only take its time. @returns why it does not work; empty where it does */
  #bringOwnLists(): string {
    mkdirSync(join(this.#folder, 'state/lists/partial'), { recursive: true })
    this.#listsProblem ??= run('apt-get', [
      ...quiet,
      ...this.#ownState(),
      ...this.#ownCache(),
      'update',
    ]).problem
    return this.#listsProblem
  }

  #ownState(): string[] {
    return ['-o', `Dir::State=${join(this.#folder, 'state')}`]
  }

  /** The system's is root's, and so is its lock. */
  #ownCache(): string[] {
    const cache = join(this.#folder, 'cache')
    mkdirSync(cache, { recursive: true })
    return ['-o', `Dir::Cache=${cache}`, '-o', 'Debug::NoLocking=true']
  }
}

/** @returns what is wrong; empty where nothing is. A first attempt may fail, so that the words are for whom nothing else helps. */
function run(command: string, args: readonly string[], cwd?: string): { readonly problem: string } {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: commandMaxMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status === 0) return { problem: '' }
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  return { problem: reason || `${command} ended with ${status}` }
}
