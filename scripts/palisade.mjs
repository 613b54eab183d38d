// Sets up, builds, and runs one program of the repository with what follows on the command line:
//   node scripts/palisade.mjs serve --config palisade.yaml
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, node, root, setUp } from './set-up.mjs'

const [program = '', ...rest] = process.argv.slice(2)
const entries = {
  tour: join(root, 'clients', 'tour', 'dist', 'main.js'),
  bench: join(root, 'bench', 'dist', 'main.js'),
  contract: join(root, 'tools', 'contract', 'generate.mjs'),
}
setUp()
if (program === 'contract') writeSettings()
build()
const command = join(root, 'programs', 'palisade', 'bin', 'palisade.js')
if (program === 'serve') bringRules()
const entry = entries[program]
// Reading the map of the bundle would take two thirds of a second of each start.
const args = entry ? ['--enable-source-maps', entry, ...rest] : [command, program, ...rest]
const child = spawn(node, args, { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => process.exit(signal ? 1 : (status ?? 1)))

/** What is built needs the types that follow from the readers of the firewall's features. */
function writeSettings() {
  const { status } = spawnSync(node, [join(root, 'tools', 'contract', 'snapshot-settings.mjs')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

/**
 * The rules by which the firewall judges requests, where there are none yet. The server starts without them too, and tells of it; of a command
 * line or a configuration that is wrong it tells itself.
 */
function bringRules() {
  if (rest.includes('--help') || rest.includes('-h')) return
  const task = ['rules', 'install', '--debian', '--if-missing']
  const { status, stderr } = spawnSync(node, [command, ...task, ...rest], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 2, 'pipe'],
    timeout: 300_000,
  })
  const wrongInput = 2
  if (status !== wrongInput) process.stderr.write(stderr)
}
