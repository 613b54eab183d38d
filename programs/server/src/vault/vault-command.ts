import { UsageError } from '@palisade/start-up'
import { ConfigurationError, loadConfiguration } from '../configuration/load.ts'
import { parseVaultCommand, type VaultRequest } from './command-line.ts'
import { performVaultTask } from './perform.ts'

/**
 * `palisade vault`: what an operator does to the vault beside the server.
 *
 * @param argv what follows "vault" on the command line
 * @returns the exit status: 0 when all is well, 1 when there is damage or it cannot be done, 2 for a wrong command line
 */
export async function vaultCommand(argv: readonly string[]): Promise<number> {
  let request: VaultRequest
  try {
    request = parseVaultCommand(argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}; see palisade vault --help\n`)
    return 2
  }
  const { task, configurationFile, members } = request
  try {
    const configuration = loadConfiguration({
      file: configurationFile,
      environment: process.env,
      flags: members,
    })
    const isWell = await performVaultTask(task, configuration, (line) => process.stdout.write(`${line}\n`))
    return isWell ? 0 : 1
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      error instanceof ConfigurationError ? `${message}\n` : `${message}${adviceFor(message)}\n`,
    )
    return 1
  }
}

/** A server that runs has the vault for itself. */
function adviceFor(message: string): string {
  if (!message.includes('is in use')) return ''
  return (
    '\nStop the server first: only "palisade vault keys" works beside it. While it runs, it verifies revisions itself: ' +
    'POST …/revisions/{id}/verify.'
  )
}
