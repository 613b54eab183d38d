import type { Log, ServiceWarning } from '@palisade/platform'
import type { AwarenessConfiguration } from './configuration.ts'
import type { Users } from './users.ts'

const condition = 'unknown-user'

/**
 * Warns in the log of API keys that are bound to users who are not there: nobody can use them.
 *
 * @param users those of earlier starts among them
 * @returns what the operator is told wherever he asks: no names
 */
export async function warnOfUnknownUsers(
  { apiKeys }: AwarenessConfiguration,
  users: Users,
  log: Log,
): Promise<ServiceWarning[]> {
  let count = 0
  for (const [index, { username }] of apiKeys.entries()) {
    if (username === null || (await users.exists(username))) continue
    log.warn(
      { condition },
      `awareness.apiKeys.${index}.username is ${JSON.stringify(username)}, and there is no such user`,
    )
    count++
  }
  if (count === 0) return []
  return [
    {
      condition,
      message: `${count} of awareness.apiKeys are bound to users who are not there: the log names them.`,
    },
  ]
}
