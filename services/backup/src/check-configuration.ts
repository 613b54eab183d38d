import { type Problem, problemAt, problemsOfClients, repeatedIndexes } from '@palisade/platform'
import type { BackupConfiguration } from './configuration.ts'
import { problemsOfVault } from './vault/vault-configuration.ts'

/**
 * What the schema cannot say is wrong: accounts, computers of an account and API clients that are given twice, and members of the vault
 * that exclude or need each other.
 */
export function problemsOfBackup({ accounts, apiClients, vault }: BackupConfiguration): Problem[] {
  return [
    ...repeatedIndexes(accounts.map(({ id }) => id)).map((index) =>
      problemAt(['backup', 'accounts', index], 'repeats an id'),
    ),
    ...accounts.flatMap(({ computers }, account) =>
      repeatedIndexes(computers.map(({ id }) => id)).map((index) =>
        problemAt(['backup', 'accounts', account, 'computers', index], 'repeats an id'),
      ),
    ),
    ...problemsOfClients('backup', apiClients),
    ...(vault === undefined ? [] : problemsOfVault(vault)),
  ]
}
