import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cacheCompiledCode } from './compile-cache.ts'
import { becomeSmall, type SmallProcess, smallAgent, smallServer } from './small-process.ts'

/** Programs that run until they are stopped, and work beside a server; everything else is a command to a running one. */
const programs: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  serve: async (argv) => (await import('@palisade/server')).serveCommand(argv),
  config: async (argv) => (await import('@palisade/server')).configCommand(argv),
  vault: async (argv) => (await import('@palisade/server')).vaultCommand(argv),
  support: async (argv) => (await import('@palisade/server')).supportCommand(argv),
  rules: async (argv) => (await import('@palisade/server')).rulesCommand(argv),
  proxy: async (argv) => (await import('@palisade/firewall-proxy')).proxyCommand(argv),
  agent: async (argv) => {
    if (argv[0] === 'install') return installAgent(argv.slice(1))
    return (await import('@palisade/backup-agent')).agentCommand(argv)
  },
}

/** Those of them that begin anew, with little memory. */
const smallPrograms: Readonly<Record<string, SmallProcess>> = { serve: smallServer, agent: smallAgent }

/**
 * The `palisade` command. A program is loaded only when it is asked for, so that an agent's machine carries
 * neither the server's memory nor its start-up, and nothing at all for the version.
 *
 * @param argv the command line without the interpreter and the script
 * @returns the exit status
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [name = '', ...rest] = argv
  if (name === '--version' && rest.length === 0) {
    const { ownVersion } = await import('@palisade/start-up')
    process.stdout.write(`${ownVersion(import.meta.url)}\n`)
    return 0
  }
  const small = Object.hasOwn(smallPrograms, name) ? smallPrograms[name] : undefined
  if (small) becomeSmall(small)
  cacheCompiledCode()
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (program) return program(rest)
  const { clientCommand } = await import('@palisade/cli')
  return clientCommand(argv)
}

/**
 * `palisade agent install`: installs the agent of this computer as a service of systemd, by the script of this package.
 *
 * @param argv what follows "install" on the command line
 * @returns the exit status of the script: 0 when the agent is installed, and has enrolled where it was started
 */
async function installAgent(argv: readonly string[]): Promise<number> {
  const script = fileURLToPath(new URL('../deploy/install-agent.sh', import.meta.url))
  const [status] = await once(spawn('sh', [script, ...argv], { stdio: 'inherit' }), 'exit')
  return typeof status === 'number' ? status : 1
}
