import type { SnapshotChecks, SnapshotService } from '@palisade/proxy-protocol'
import ipaddr from 'ipaddr.js'
import { type AddressData, urlDigestOf } from '../address-data/address-data.ts'
import type { Answer } from '../exchange/answer.ts'
import { type Exchange, plainAddress } from '../exchange/exchange.ts'
import { headerValues } from '../exchange/headers.ts'
import { isFollowedUp } from '../policy/follow-up.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { Policy } from '../policy/policy.ts'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/**
 * Who a client is, and whether it may come at all: its address as a proxy before us tells it, clients that are trusted, clients
 * that are refused for what they did a while ago, and clients of the block list.
 */
export const clients: FilterDescriptor = {
  name: 'clients',
  stage: 'arrival',
  isShared: true,
  make: clientsFilter,
}

function clientsFilter(
  service: SnapshotService,
  { policies, addressData }: FilterDependencies,
): Filter | undefined {
  const { checks, trustedProxies } = service
  if (checks === undefined) return undefined
  const { clientAddressHeader, trusted } = checks
  const proxies = trustedProxies && new ExceptionClients(trustedProxies)
  const trustedClients = new ExceptionClients(trusted?.clients ?? [])
  const isBlocked = blockedBy(checks, addressData)
  const mayBeBlocked = policies.some((policy) => blocksClients(checks, policy))
  // Where nobody has said which proxies to believe, whoever claims an address must be trusted himself.
  const isTrusted = ({ clientAddress, peerAddress }: Exchange) =>
    trustedClients.has(clientAddress) && (proxies !== undefined || trustedClients.has(peerAddress))
  return {
    onRequest: (exchange) => {
      if (clientAddressHeader !== undefined) readAddress(exchange, clientAddressHeader, proxies)
      if (trusted !== undefined && isTrusted(exchange)) {
        exchange.mode = trusted.does === 'allow' || exchange.mode === 'off' ? 'off' : 'passive'
      }
      if (exchange.mode === 'off') return undefined
      return (mayBeBlocked ? refuseBlocked(exchange) : undefined) ?? refuseListed(exchange, isBlocked)
    },
  }
}

/**
 * The last address is the one that the proxy before us has seen; where that is one of the proxies that are believed, the one before it counts,
 * and so on. Those further to the left may be made up.
 *
 * @param proxies undefined where everybody is believed who tells a single address
 */
function readAddress(exchange: Exchange, header: string, proxies: ExceptionClients | undefined): void {
  if (proxies?.has(exchange.peerAddress) === false) return
  const claims = headerValues(exchange.headers, header).flatMap((value) => value.split(','))
  for (const claim of claims.reverse()) {
    const address = addressIn(claim.trim())
    if (address === undefined) return
    exchange.clientAddress = address
    if (!proxies?.has(address)) return
  }
}

/**
 * A port may follow an IPv4 address, or an IPv6 one in brackets: without them, its last group would be taken for a port, and the client
 * for somebody else.
 */
function addressIn(claim: string): string | undefined {
  const [, inBrackets, dotted] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(claim) ?? []
  const address = inBrackets ?? dotted ?? claim
  return ipaddr.isValid(address) ? plainAddress(address) : undefined
}

/** Ends the connection of a blocked client without an answer and without a log entry: the entry of the attack already says that it is blocked. */
function refuseBlocked(exchange: Exchange): Answer | undefined {
  const isRefused = exchange.mode === 'active' && isFollowedUp(exchange, 'block')
  return isRefused ? { status: 403, resets: true } : undefined
}

/** Whether there is anything for which clients are refused for a while. */
function blocksClients({ urlAcls }: SnapshotChecks, { snapshot }: Policy): boolean {
  const all = [...urlAcls, ...(snapshot?.globalAcls ?? []), ...Object.values(snapshot?.actions ?? {})]
  return all.some(({ followUp }) => followUp?.does === 'block')
}

/** Tells whether an address is in the custom IP blocklist, be it in the configuration or downloaded. */
function blockedBy(
  { blockedClients, downloadedBlocklist }: SnapshotChecks,
  addressData: AddressData | undefined,
): (address: string) => boolean {
  if (downloadedBlocklist !== undefined) {
    const urlDigest = urlDigestOf(downloadedBlocklist.url)
    return (address) => addressData?.isBlocked(urlDigest, address) === true
  }
  const blocked = new ExceptionClients(blockedClients)
  return (address) => blocked.has(address)
}

function refuseListed(exchange: Exchange, isBlocked: (address: string) => boolean): Answer | undefined {
  if (!isBlocked(exchange.clientAddress) && !isBlocked(exchange.peerAddress)) return undefined
  return handleViolation(exchange, {
    attack: 'deny-acl-matched',
    detail: 'The client is in the custom IP blocklist.',
    rule: 'custom-ip-blocklist',
  })
}
