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
build()
const command = join(root, 'programs', 'palisade', 'bin', 'palisade.js')
if (program === 'serve') bringRules()
const entry = entries[program]
const args = entry ? [entry, ...rest] : [command, program, ...rest]
const child = spawn(node, ['--enable-source-maps', ...args], { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => process.exit(signal ? 1 : (status ?? 1)))

/** The rules by which the firewall judges requests, where there are none yet. The server starts without them too, and tells of it. */
function bringRules() {
  if (rest.includes('--help') || rest.includes('-h')) return
  const task = ['rules', 'install', '--debian', '--if-missing']
  spawnSync(node, [command, ...task, ...rest], { cwd: root, stdio: ['ignore', 2, 2], timeout: 300_000 })
}
