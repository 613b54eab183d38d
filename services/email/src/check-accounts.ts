import { repeatedIndexes } from '@palisade/platform'
import type { EmailConfiguration } from './configuration.ts'

/**
 * Checks what the schema cannot say: that no account, and no domain of an account, is given twice.
 *
 * @throws Error naming each member at fault
 */
export function checkAccounts(accounts: EmailConfiguration['accounts']): void {
  const problems = [
    ...repeatedIndexes(accounts.map(({ id }) => id)).map((index) => `${index} repeats an id`),
    ...accounts.flatMap(({ domains }, account) => [
      ...repeatedIndexes(domains.map(({ id }) => id)).map(
        (index) => `${account}.domains.${index} repeats an id`,
      ),
      ...repeatedIndexes(domains.map(({ name }) => name)).map(
        (index) => `${account}.domains.${index} repeats a name`,
      ),
    ]),
  ]
  if (problems.length === 0) return
  throw new Error(
    `The configuration of email is not valid:\n${problems.map((problem) => `  email.accounts.${problem}`).join('\n')}`,
  )
}
