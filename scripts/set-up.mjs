// Brings the dependencies, and Node 24 among them, so that everything after this runs on the same runtime
// whatever the machine has. Plain JavaScript: this file itself has to run on Node 20.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The runtime that Palisade runs on. */
export const node = join(root, 'node_modules', 'node', 'bin', 'node')

const lockFile = join(root, 'package-lock.json')
const installedLock = join(root, 'node_modules', '.palisade-lock')
/** There while something is built, and after a build that was interrupted, whose files may be of other sources than those that are there now. */
const unfinishedBuild = join(root, 'node_modules', '.palisade-build-unfinished')

/** Installs what the lock file names, unless that has been done. */
export function setUp() {
  const digest = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (!existsSync(installedLock) || readFileSync(installedLock, 'utf8') !== digest) {
    console.error('Installing what Palisade needs from the npm registry …')
    // What an interrupted installation leaves is of no lock file, not of the one before either.
    rmSync(installedLock, { force: true })
    // Not `npm ci`, which installs everything anew whenever the lock file changes. This installs the same versions and leaves
    // the lock file alone.
    run('npm', ['install', '--no-save', '--loglevel=error', '--no-audit', '--no-fund'])
  }
  if (!hasRuntime()) run('npm', ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
  if (!hasRuntime()) fail('Node 24 could not be installed from the npm registry (package "node").')
  writeFileSync(installedLock, digest)
}

/** Compiles what has changed since the last time, which is also the type check, and bundles the console and the palisade command. */
export function build() {
  compile(existsSync(unfinishedBuild))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  run(node, [vite, 'build', join(root, 'clients', 'console'), '--logLevel', 'warn'])
  run(node, [join(root, 'scripts', 'bundle.mjs')])
  rmSync(unfinishedBuild, { force: true })
}

/** @param everything whether also what seems to be compiled: by its records a compiler that was interrupted has written nothing */
function compile(everything) {
  writeFileSync(unfinishedBuild, '')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = [everything ? ['--force'] : [], process.stdout.isTTY ? ['--pretty'] : []].flat()
  const { status, stdout } = spawnSync(node, [compiler, '-b', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  process.stdout.write(stdout ?? '')
  if (status === 0) return
  const couldNotWrite = 'TS5033'
  if (status !== null && !stdout.includes(couldNotWrite)) rmSync(unfinishedBuild)
  process.exit(status ?? 1)
}

/** Runs a command in the root, in sight of the user; a failure ends this process with its status. */
export function run(command, args, environment = process.env) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment })
  if (error) fail(`${command} cannot be run: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

function hasRuntime() {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return /^v(2[4-9]|[3-9]\d)\./.test(stdout ?? '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp()
