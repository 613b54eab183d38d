import { refuseProblems, repeatedIndexes } from '@palisade/platform'
import { networkOf } from './address-list.ts'
import type { AwarenessConfiguration } from './configuration.ts'
import { millisecondsOf } from './timestamp.ts'

/**
 * Checks what the schema cannot say: that nothing is named twice, and that addresses and times are such.
 *
 * @throws Error naming each member at fault; never a secret
 */
export function checkConfiguration({ users, apiKeys, campaigns }: AwarenessConfiguration): void {
  const problems = [
    ...repeatedIndexes(users.map(({ username }) => username)).map(
      (index) => `users.${index} repeats a username`,
    ),
    ...repeatedIndexes(apiKeys.map(({ key }) => key)).map((index) => `apiKeys.${index} repeats a key`),
    ...repeatedIndexes(campaigns.map(({ id }) => id)).map((index) => `campaigns.${index} repeats an id`),
    ...apiKeys.flatMap(({ allowedAddresses }, index) =>
      allowedAddresses
        .filter((text) => networkOf(text) === undefined)
        .map((text) => `apiKeys.${index}.allowedAddresses holds "${text}", which is no address or network`),
    ),
    ...campaigns.flatMap(({ created, launched, completed }, index) =>
      Object.entries({ created, launched, completed })
        .filter(([, moment]) => moment !== null && Number.isNaN(millisecondsOf(moment)))
        .map(([member, moment]) => `campaigns.${index}.${member} is "${moment}", which no calendar has`),
    ),
  ]
  refuseProblems(
    'awareness',
    problems.map((problem) => `awareness.${problem}`),
  )
}
