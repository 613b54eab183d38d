import { type Problem, problemAt, repeatedIndexes } from '@palisade/platform'
import { networkOf } from './address-list.ts'
import type { AwarenessConfiguration } from './configuration.ts'
import { millisecondsOf } from './timestamp.ts'

/** What the schema cannot say is wrong: what is named twice, and addresses and times that are none. */
export function problemsOfAwareness({ users, apiKeys, campaigns }: AwarenessConfiguration): Problem[] {
  return [
    ...repeatedIndexes(users.map(({ username }) => username)).map((index) =>
      problemAt(['awareness', 'users', index], 'repeats a username'),
    ),
    ...repeatedIndexes(apiKeys.map(({ key }) => key)).map((index) =>
      problemAt(['awareness', 'apiKeys', index], 'repeats a key'),
    ),
    ...repeatedIndexes(campaigns.map(({ id }) => id)).map((index) =>
      problemAt(['awareness', 'campaigns', index], 'repeats an id'),
    ),
    ...apiKeys.flatMap(({ allowedAddresses }, index) =>
      allowedAddresses.flatMap((text, place) =>
        networkOf(text) === undefined
          ? [
              problemAt(
                ['awareness', 'apiKeys', index, 'allowedAddresses', place],
                'must be an address such as 192.0.2.1, or a network such as 192.0.2.0/24',
              ),
            ]
          : [],
      ),
    ),
    ...campaigns.flatMap(({ created, launched, completed }, index) =>
      Object.entries({ created, launched, completed }).flatMap(([member, moment]) =>
        moment !== null && Number.isNaN(millisecondsOf(moment))
          ? [problemAt(['awareness', 'campaigns', index, member], `is "${moment}", which no calendar has`)]
          : [],
      ),
    ),
  ]
}
