import type { SnapshotIpReputation, SnapshotService } from '@palisade/proxy-protocol'
import type { AddressData } from '../address-data/address-data.ts'
import type { Place } from '../address-data/geoip-database.ts'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import { ExceptionClients } from '../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/** Refuses clients for where they are, or for what their address is known for. */
export const ipReputation: FilterDescriptor = {
  name: 'ip-reputation',
  stage: 'arrival',
  isShared: true,
  make: ipReputationFilter,
}

/** Why a client is refused. */
interface Finding {
  readonly rule: string
  readonly detail: string
  readonly isLogged: boolean
}

function ipReputationFilter(
  { checks, trustedProxies }: SnapshotService,
  { addressData }: FilterDependencies,
): Filter | undefined {
  const reputationChecks = checks?.ipReputation
  if (reputationChecks === undefined) return undefined
  const find = finderOf(reputationChecks, addressData)
  const proxies = new ExceptionClients(trustedProxies ?? [])
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const { clientAddress, peerAddress } = exchange
      const isTold = clientAddress !== peerAddress
      const ofClient = find(clientAddress, true)
      // Others may come over the connection of a proxy before us.
      if (ofClient) return refuse(exchange, ofClient, reputationChecks.closesConnections && !isTold)
      if (!isTold || proxies.has(peerAddress)) return undefined
      const ofPeer = find(peerAddress, false)
      return ofPeer && refuse(exchange, ofPeer, reputationChecks.closesConnections)
    },
  }
}

function refuse(exchange: Exchange, { isLogged, ...found }: Finding, closes: boolean): Answer | undefined {
  const answer = handleViolation(exchange, { attack: 'deny-acl-matched', ...found }, { isLogged })
  return answer && closes ? { status: 403, resets: true, endsSession: true } : answer
}

/** @returns gives why an address is refused; of one that is no client's own, it does not count that nothing is known */
function finderOf(
  asked: SnapshotIpReputation,
  data: AddressData | undefined,
): (address: string, isClient: boolean) => Finding | undefined {
  const { logsPlaces: isLogged, blocksUnclassified, categories } = asked
  const allowed = new ExceptionClients(asked.allowedNetworks)
  const blocked = new ExceptionClients(asked.blockedNetworks)
  return (address, isClient) => {
    if (blocked.has(address)) {
      return {
        rule: 'geoip-blocked-networks',
        detail: 'The client is in a network that is blocked.',
        isLogged,
      }
    }
    const category = data?.categoryOf(address, categories)
    if (category !== undefined) {
      return {
        rule: category,
        detail: `The address of the client is on the list ${category}.`,
        isLogged: true,
      }
    }
    const place = data?.placeOf(address)
    if (place === undefined || allowed.has(address)) return undefined
    if (place.country === undefined && !(asked.countsRegistration && place.registeredCountry)) {
      const detail = 'Nobody knows in which country the address of the client is.'
      return blocksUnclassified && isClient ? { rule: 'block-unclassified-ips', detail, isLogged } : undefined
    }
    const { country = place.registeredCountry } = place
    return isOutOfPlace(place, asked)
      ? { rule: 'geo-pool', detail: `Clients from the country ${country} are not let in.`, isLogged }
      : undefined
  }
}

/** An address that is used in one country and registered in another is in the pool where either of them is, if that counts. */
function isOutOfPlace(
  { country, continent, registeredCountry }: Place,
  { pool, countsRegistration }: SnapshotIpReputation,
): boolean {
  if (pool === undefined) return false
  const countries = [country, ...(countsRegistration ? [registeredCountry] : [])]
  const isInPool =
    countries.some((one) => one !== undefined && pool.countries.includes(one)) ||
    (continent !== undefined && pool.continents.includes(continent))
  return pool.does === 'block' ? isInPool : !isInPool
}
