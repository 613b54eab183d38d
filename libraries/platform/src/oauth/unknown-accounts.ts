import type { Log } from '@palisade/log'
import { nearestName } from '@palisade/start-up'
import type { ServiceWarning } from '../http/mount-service.ts'
import type { ApiClient } from './client-credentials.ts'

const condition = 'unknown-account'

/** How many accounts of one client are named. */
const namedMax = 3

/**
 * Warns in the log of clients of a configuration that were given accounts which are not there: their tokens open nothing by these.
 *
 * @param deps.service whose clients they are, as the configuration calls it
 * @param deps.configured the ids of accounts in the same configuration
 * @param deps.exists whether there is an account that the configuration does not name, from an earlier start
 * @returns what the operator is told wherever he asks: no names, since anybody may ask whether the server is ready
 */
export async function warnOfUnknownAccounts(deps: {
  readonly service: string
  readonly clients: readonly ApiClient[]
  readonly configured: readonly string[]
  readonly log: Log
  readonly exists: (accountId: string) => Promise<boolean>
}): Promise<ServiceWarning[]> {
  const { service, clients, configured, exists } = deps
  const accountIds = new Set(configured)
  let clientsAtFault = 0
  for (const [index, { accounts }] of clients.entries()) {
    const unknown: string[] = []
    for (const account of accounts) {
      if (!accountIds.has(account) && !(await exists(account))) unknown.push(account)
    }
    if (unknown.length === 0) continue
    const message = `${service}.apiClients.${index} has ${listOf(unknown, configured)}: add what is missing to ${service}.accounts, or correct the list.`
    deps.log.warn({ condition }, message)
    clientsAtFault++
  }
  if (clientsAtFault === 0) return []
  const message = `${clientsAtFault} of ${service}.apiClients have accounts that are not there: the log names them.`
  return [{ condition, message }]
}

function listOf(unknown: readonly string[], configured: readonly string[]): string {
  const named = unknown.slice(0, namedMax).map((account) => {
    const meant = nearestName(account, configured)
    return `the account ${JSON.stringify(account)}, which is not there${meant === undefined ? '' : ` (${JSON.stringify(meant)} is)`}`
  })
  const more = unknown.length - named.length
  return more === 0 ? named.join(', and ') : `${named.join(', ')}, and ${more} more such accounts`
}
