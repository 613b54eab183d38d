import { readFileSync } from 'node:fs'
import { Command, CommanderError } from '@commander-js/extra-typings'
import { auditCommand } from './administration/audit.ts'
import { operatorsCommand } from './administration/operators.ts'
import { statusCommand } from './administration/status.ts'
import { anyCallCommand } from './any-call.ts'
import { backupCommand } from './backup/backup.ts'
import { completeCommand, completionCommand } from './completion.ts'
import { exitStatus, exitStatusOf, explain } from './exit-status.ts'
import { firewallCommand } from './firewall/index.ts'
import { loginCommand, logoutCommand, whoamiCommand } from './login/login.ts'
import { profilesCommand } from './login/profiles-command.ts'
import { resourceCommand } from './resources/resource-command.ts'
import { attention, channels, routes, sessions, tokens } from './resources/resources.ts'
import { awarenessCommand } from './services/awareness.ts'
import { emailCommand } from './services/email.ts'
import { explainWrongLines } from './wrong-command-line.ts'

/** What the command starts instead of calling a server. */
const programs = [
  ['serve', 'the whole control plane'],
  ['config', 'check its configuration, and have it read again'],
  ['support', 'collect in one file what somebody needs who helps with a server'],
  ['rules', 'install releases of the Core Rule Set for the firewall, and choose one'],
  ['vault', 'check and repair the vault of a stopped server, change its keys'],
  ['proxy', "carries the traffic of the firewall's services"],
  ['agent', 'the backup agent of one machine'],
] as const

/** All commands that call a running server. */
export function clientProgram() {
  const program = new Command('palisade')
    .description('One self-hosted control plane: firewall, awareness, backup, email.')
    .version(ownVersion(), '--version', 'print the version')
    .addHelpText(
      'after',
      `\nPrograms:\n${programs.map(([name, what]) => `  ${name.padEnd(7)}  ${what}`).join('\n')}`,
    )
    .addHelpText('after', '\nBegin with "palisade login URL", then "palisade status".')
    .commandsGroup('Who you are:')
    .addCommand(loginCommand())
    .addCommand(logoutCommand())
    .addCommand(whoamiCommand())
    .addCommand(profilesCommand())
    .commandsGroup('Services:')
    .addCommand(awarenessCommand())
    .addCommand(backupCommand())
    .addCommand(emailCommand())
    .addCommand(firewallCommand())
    .commandsGroup('Administration:')
    .addCommand(statusCommand())
    .addCommand(resourceCommand(attention))
    .addCommand(resourceCommand(channels))
    .addCommand(resourceCommand(routes))
    .addCommand(operatorsCommand())
    .addCommand(resourceCommand(tokens))
    .addCommand(resourceCommand(sessions))
    .addCommand(auditCommand())
    .commandsGroup('Other:')
    .addCommand(anyCallCommand())
    .addCommand(completionCommand())
    .helpCommand(true)
  return program.addCommand(completeCommand(program, programs), { hidden: true })
}

/**
 * Runs a command that speaks to a running server.
 *
 * @param argv the command line without the interpreter and the script
 * @returns the exit status
 */
export async function clientCommand(argv: readonly string[]): Promise<number> {
  // Whoever reads has read enough, as `head` has.
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') === 'EPIPE') process.exit(exitStatus.done)
    throw error
  })
  const program = clientProgram()
  explainWrongLines(program)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitStatus.done
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitStatus.done : exitStatus.wrongCommandLine
    console.error(explain(error))
    return exitStatusOf(error)
  }
}

function ownVersion(): string {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return String(Object(description).version)
}
