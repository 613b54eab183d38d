import { isStorableText, type Problem, problemAt, repeatedIndexes } from '@palisade/platform'
import { isNetwork } from '@palisade/proxy-protocol'
import type { FirewallConfiguration } from './configuration.ts'

type Checked = Pick<FirewallConfiguration, 'acme' | 'administrators' | 'forbiddenAddresses'>

/**
 * What the schema cannot say is wrong: administrators who are named twice or by what no store keeps, forbidden addresses that are none,
 * and half of an external account.
 */
export function problemsOfFirewall({ acme, administrators, forbiddenAddresses }: Checked): Problem[] {
  const usernames = administrators.map(({ username }) => username)
  return [
    ...problemsOfAcme(acme),
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

function problemsOfAcme(acme: FirewallConfiguration['acme']): Problem[] {
  if (acme === undefined) return []
  const path = ['firewall', 'acme']
  const { eabKeyId, eabHmacKey, eabHmacKeyFile } = acme
  if (eabHmacKey !== undefined && eabHmacKeyFile !== undefined) {
    return [
      problemAt([...path, 'eabHmacKey'], 'says the same as eabHmacKeyFile: expected was one of the two'),
    ]
  }
  const hasKey = eabHmacKey !== undefined || eabHmacKeyFile !== undefined
  if (hasKey === (eabKeyId !== undefined)) return []
  return [problemAt(path, 'must have both eabKeyId and eabHmacKey or eabHmacKeyFile, or none of them')]
}
