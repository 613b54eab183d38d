import { UsageError } from '@palisade/start-up'
import { ConfigurationError, loadConfiguration } from '../configuration/load.ts'
import { parseVaultCommand, type VaultRequest } from './command-line.ts'
import { performVaultTask } from './perform.ts'

const usage = `Usage: palisade vault TASK [--config FILE] [--MEMBER VALUE …]

Looks after the vault of a server that is stopped, with the configuration of that server; "keys" also beside one that runs.

  check [--read-data | --sample PERCENT]   look for damage: structure only, or every chunk or a part of them as well
  repair [--read-data]                     put damage right as far as possible, and say which revisions have suffered
  keys                                     list the keys that open the vault
  add-key --new-key-file FILE | --new-passphrase-file FILE [--label TEXT]
                                           let another key or passphrase open it too
  remove-key ID                            take a key away
  change-key --new-key-file FILE | --new-passphrase-file FILE
                                           put another in the place of the one that the configuration names

A key file is made when it is not there. A passphrase file has the passphrase in its first line, mode 0600.
Members of the configuration are given as with palisade serve. The status is 0 when all is well, 1 when it is not.
`

/**
 * `palisade vault`: what an operator does to the vault beside the server.
 *
 * @param argv what follows "vault" on the command line
 * @returns the exit status: 0 when all is well, 1 when there is damage or it cannot be done, 2 for a wrong command line
 */
export async function vaultCommand(argv: readonly string[]): Promise<number> {
  let request: VaultRequest | 'help'
  try {
    request = parseVaultCommand(argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}; see palisade vault --help\n`)
    return 2
  }
  if (request === 'help') {
    process.stdout.write(usage)
    return 0
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
