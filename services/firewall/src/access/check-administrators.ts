import { isStorableText, refuseProblems, repeatedIndexes } from '@palisade/platform'
import type { FirewallConfiguration } from '../configuration.ts'

/**
 * Checks what the schema cannot say: that nobody is named twice, and that names can be stored as they are.
 *
 * @throws Error naming each member at fault; never a secret
 */
export function checkAdministrators(administrators: FirewallConfiguration['administrators']): void {
  const usernames = administrators.map(({ username }) => username)
  const problems = [
    ...repeatedIndexes(usernames).map((index) => `${index} repeats a username`),
    ...usernames.flatMap((username, index) =>
      isStorableText(username) ? [] : [`${index} has a username with characters that no store keeps`],
    ),
  ]
  refuseProblems(
    'the firewall',
    problems.map((problem) => `firewall.administrators.${problem}`),
  )
}
