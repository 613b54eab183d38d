import {
  type Log,
  type Problem,
  problemAt,
  problemsOfClients,
  repeatedIndexes,
  type ServiceWarning,
} from '@palisade/platform'
import type { EmailConfiguration } from './configuration.ts'
import { dnsNameOf } from './dns/dns-name.ts'
import { problemsOfVerification } from './dns/verification-configuration.ts'

/**
 * What the schema cannot say is wrong: accounts, domains of an account and API clients that are given twice, and name servers and
 * hosts that are none.
 */
export function problemsOfEmail({ accounts, apiClients, verification }: EmailConfiguration): Problem[] {
  return [
    ...problemsOfAccounts(accounts),
    ...problemsOfClients('email', apiClients),
    ...problemsOfVerification(verification),
  ]
}

/** So many domains are named in the log at a start; the others are counted. */
const loggedMax = 20

/**
 * Warns in the log of domains whose names DNS cannot have, such as one with a blank in it: nobody gets mail there, and they are never
 * verified.
 *
 * @returns what the operator is told wherever he asks: no names
 */
export function warnOfDomains({ accounts }: EmailConfiguration, log: Log): ServiceWarning[] {
  const condition = 'no-domain-name'
  const names = accounts.flatMap(({ domains }, account) =>
    domains.flatMap(({ name }, index) => (dnsNameOf(name) === undefined ? [{ account, index, name }] : [])),
  )
  for (const { account, index, name } of names.slice(0, loggedMax)) {
    log.warn(
      { condition },
      `email.accounts.${account}.domains.${index}.name is ${JSON.stringify(name)}, which is no name of a domain`,
    )
  }
  if (names.length === 0) return []
  const message = `${names.length} domains of email.accounts have names that no domain has: the log names them.`
  return [{ condition, message }]
}

function problemsOfAccounts(accounts: EmailConfiguration['accounts']): Problem[] {
  return [
    ...repeatedIndexes(accounts.map(({ id }) => id)).map((index) =>
      problemAt(['email', 'accounts', index], 'repeats an id'),
    ),
    ...accounts.flatMap(({ domains }, account) => [
      ...repeatedIndexes(domains.map(({ id }) => id)).map((index) =>
        problemAt(['email', 'accounts', account, 'domains', index], 'repeats an id'),
      ),
      ...repeatedIndexes(domains.map(({ name }) => name)).map((index) =>
        problemAt(['email', 'accounts', account, 'domains', index], 'repeats a name'),
      ),
    ]),
  ]
}
