import type { Log } from '@palisade/log'
import { nearestName } from '@palisade/start-up'
import { isStorableText } from '../database/stored-texts.ts'
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
 * @param deps.existingAccounts those of ids of accounts that there are, also by an earlier start; asked once, since there may be very many
 * @returns what the operator is told wherever he asks: no names, since anybody may ask whether the server is ready
 */
export async function warnOfUnknownAccounts(deps: {
  readonly service: string
  readonly clients: readonly ApiClient[]
  readonly configured: readonly string[]
  readonly log: Log
  readonly existingAccounts: (accountIds: readonly string[]) => Promise<ReadonlySet<string>>
}): Promise<ServiceWarning[]> {
  const { service, clients, configured } = deps
  const accountIds = new Set(configured)
  const others = new Set(clients.flatMap(({ accounts }) => accounts.filter((id) => !accountIds.has(id))))
  const existing = await deps.existingAccounts([...others].filter(isStorableText))
  let clientsAtFault = 0
  for (const [index, { accounts }] of clients.entries()) {
    const unknown = accounts.filter((account) => !accountIds.has(account) && !existing.has(account))
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
