import { refuseProblems, repeatedIndexes } from '@palisade/platform'
import type { BackupConfiguration } from './configuration.ts'

/**
 * Checks what the schema cannot say: that no account, and no computer of an account, is given twice.
 *
 * @throws Error naming each member at fault
 */
export function checkAccounts(accounts: BackupConfiguration['accounts']): void {
  const problems = [
    ...repeatedIndexes(accounts.map(({ id }) => id)).map((index) => `${index}`),
    ...accounts.flatMap(({ computers }, account) =>
      repeatedIndexes(computers.map(({ id }) => id)).map((index) => `${account}.computers.${index}`),
    ),
  ]
  refuseProblems(
    'backup',
    problems.map((member) => `backup.accounts.${member} repeats an id`),
  )
}
