import { configUsage, rulesUsage, supportUsage, vaultUsage } from './help.ts'

/** @returns the exit status */
type Command = (argv: readonly string[]) => Promise<number>

/*
 * Each command is loaded when it is called, and for --help nothing but its text is.
 */

export const serveCommand: Command = async (argv) => (await import('./main.ts')).serveCommand(argv)

export const configCommand = withHelp(configUsage, async (argv) =>
  (await import('./config-command.ts')).configCommand(argv),
)

export const rulesCommand = withHelp(rulesUsage, async (argv) =>
  (await import('./rules/rules-command.ts')).rulesCommand(argv),
)

export const supportCommand = withHelp(supportUsage, async (argv) =>
  (await import('./support/support-command.ts')).supportCommand(argv),
)

export const vaultCommand = withHelp(vaultUsage, async (argv) =>
  (await import('./vault/vault-command.ts')).vaultCommand(argv),
)

function withHelp(usage: string, command: Command): Command {
  return async (argv) => {
    if (!argv.some((word) => word === '--help' || word === '-h')) return command(argv)
    process.stdout.write(usage)
    return 0
  }
}
