import { isStorableText, type Problem, problemAt, repeatedIndexes } from '@palisade/platform'
import { isNetwork } from '@palisade/proxy-protocol'
import type { FirewallConfiguration } from './configuration.ts'

type Checked = Pick<FirewallConfiguration, 'administrators' | 'forbiddenAddresses'>

/**
 * What the schema cannot say is wrong: administrators who are named twice or by what no store keeps, and forbidden addresses that are
 * none.
 */
export function problemsOfFirewall({ administrators, forbiddenAddresses }: Checked): Problem[] {
  const usernames = administrators.map(({ username }) => username)
  return [
    ...repeatedIndexes(usernames).map((index) =>
      problemAt(['firewall', 'administrators', index], 'repeats a username'),
    ),
    ...usernames.flatMap((username, index) =>
      isStorableText(username)
        ? []
        : [
            problemAt(
              ['firewall', 'administrators', index],
              'has a username with characters that no store keeps',
            ),
          ],
    ),
    ...forbiddenAddresses.flatMap((text, index) =>
      isNetwork(text)
        ? []
        : [
            problemAt(
              ['firewall', 'forbiddenAddresses', index],
              'must be an address, or a network such as 169.254.0.0/16',
            ),
          ],
    ),
  ]
}
