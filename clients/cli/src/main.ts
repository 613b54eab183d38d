import { Command, CommanderError } from '@commander-js/extra-typings'
import { AccessRefused } from '@palisade/sdk'
import { backupCommand } from './backup.ts'
import { UsageError } from './connection.ts'
import { explainWrongLines } from './wrong-command-line.ts'

const programs = `
Programs:
  serve    the whole control plane
  config   check its configuration, and have it read again
  rules    install releases of the Core Rule Set for the firewall, and choose one
  vault    check and repair the vault of a stopped server, change its keys
  proxy    carries the traffic of the firewall's services
  agent    the backup agent of one machine
`

/**
 * The commands that speak to a running server.
 *
 * @param argv the command line without the interpreter and the script
 * @returns the exit status: 0 when done, 1 when refused or failed, 2 for a wrong command line
 */
export async function clientCommand(argv: readonly string[]): Promise<number> {
  const program = new Command('palisade')
    .description('One self-hosted control plane: firewall, awareness, backup, email.')
    .addHelpText('after', programs)
    .addCommand(backupCommand())
  explainWrongLines(program)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error(messageOf(error))
    return 1
  }
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof AccessRefused) return error.message
  if (error instanceof TypeError && error.message === 'fetch failed') return whyUnreachable(error.cause)
  return error instanceof Error ? error.message : String(error)
}

function whyUnreachable(cause: unknown): string {
  if (!(cause instanceof Error)) return 'The server cannot be reached.'
  const { code = '' } = cause as NodeJS.ErrnoException
  // As OpenSSL and Node name what is wrong with certificates.
  return /CERT|ISSUER|LEAF/.test(code)
    ? `The certificate of the server is not trusted: ${cause.message}. NODE_EXTRA_CA_CERTS can name a file of certificates to trust.`
    : `The server cannot be reached: ${cause.message || code}`
}
