import { becomeSmall, smallAgent, smallServer } from './small-process.ts'

/** Programs that run until they are stopped, and work beside a server; everything else is a command to a running one. */
const programs: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  serve: async (argv) => {
    becomeSmall(smallServer)
    return (await import('@palisade/server')).serveCommand(argv)
  },
  config: async (argv) => (await import('@palisade/server')).configCommand(argv),
  vault: async (argv) => (await import('@palisade/server')).vaultCommand(argv),
  rules: async (argv) => (await import('@palisade/server')).rulesCommand(argv),
  proxy: async (argv) => (await import('@palisade/firewall-proxy')).proxyCommand(argv),
  agent: async (argv) => {
    becomeSmall(smallAgent)
    return (await import('@palisade/backup-agent')).agentCommand(argv)
  },
}

/**
 * The `palisade` command. A program is loaded only when it is asked for, so that an agent's machine carries
 * neither the server's memory nor its start-up.
 *
 * @param argv the command line without the interpreter and the script
 * @returns the exit status
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [name = '', ...rest] = argv
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (program) return program(rest)
  const { clientCommand } = await import('@palisade/cli')
  return clientCommand(argv)
}
