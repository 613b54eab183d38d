import { type Problem, problemAt, repeatedIndexes } from '@palisade/platform'
import { problemOfGrants } from './access/grants.ts'
import type { AdministrationConfiguration } from './configuration.ts'
import { problemsOfNotifications } from './notification-configuration.ts'
import { problemsOfSignIn } from './sign-in-configuration.ts'

/** What the schema cannot say is wrong: operators who are named twice, and grants that make no sense. */
export function problemsOfAdministration(configuration: AdministrationConfiguration): Problem[] {
  const { operators, notifications } = configuration
  return [
    ...repeatedIndexes(operators.map(({ username }) => username)).map((index) =>
      problemAt(['administration', 'operators', index], 'repeats a username'),
    ),
    ...operators.flatMap(({ grants }, operator) =>
      grants.flatMap((grant, index) => {
        const sentence = problemOfGrants([grant])
        if (sentence === undefined) return []
        const path = ['administration', 'operators', operator, 'grants', index]
        return [problemAt(path, `cannot be: ${sentence.replace(/\.$/, '')}`)]
      }),
    ),
    ...problemsOfNotifications(notifications),
    ...problemsOfSignIn(configuration),
  ]
}
