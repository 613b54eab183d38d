import { refuseProblems, repeatedIndexes } from '@palisade/platform'
import type { EmailConfiguration } from './configuration.ts'
import { problemsOfVerification } from './verification/verification-configuration.ts'

/**
 * Checks what the schema cannot say: that no account, and no domain of an account, is given twice, and that name servers
 * and hosts are such.
 *
 * @throws Error naming each member at fault
 */
export function checkConfiguration({ accounts, verification }: EmailConfiguration): void {
  const problems = [
    ...problemsOfAccounts(accounts).map((problem) => `accounts.${problem}`),
    ...problemsOfVerification(verification).map((problem) => `verification.${problem}`),
  ]
  refuseProblems(
    'email',
    problems.map((problem) => `email.${problem}`),
  )
}

function problemsOfAccounts(accounts: EmailConfiguration['accounts']): string[] {
  return [
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
}
