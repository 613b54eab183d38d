import { BlockList, isIP } from 'node:net'
import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'

const kindOfRanges = 'admin-ip-range'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Lets in only whom the configuration lets come: from an address of `admin-ip-range`, where there is any, and over HTTPS where
 * `secure-administration https-access-only` says so. Both are asked of other machines only: whoever is on this one can always put it right.
 */
export function refuseOutsiders(configuration: LiveConfiguration): onRequestHookHandler {
  return (request, _reply, done) => {
    const address = clientAddress(request)
    const isElsewhere = !isIn(loopback, address)
    if (isElsewhere && !mayComeFrom(currentRanges(configuration), address)) {
      done(new RequestRefused('forbidden', `No administrator may come from ${address}: see admin-ip-range.`))
    } else if (isElsewhere && isHttpsOnly(configuration) && !isEncrypted(request)) {
      done(new RequestRefused('forbidden', 'Administrators come over HTTPS: see secure-administration.'))
    } else done()
  }
}

/**
 * Refuses a change after which its author could not come back from where he is.
 *
 * @throws ConfigurationRefused has-to-stay
 */
export function refuseOwnExclusion(before: Snapshot, writes: readonly Write[], address: string): void {
  const kind = writes.find((write) => write.kind.name === kindOfRanges)?.kind
  if (kind === undefined || isIP(address) === 0 || isIn(loopback, address)) return
  const after = before.with(writes, before.version)
  if (mayComeFrom(readRanges(after.collection(kind, []) ?? []), address)) return
  const reason = `With this change you could not come from ${address} any more: let admin-ip-range have it.`
  throw new ConfigurationRefused({ code: 'has-to-stay', reason })
}

const rangesOf = new WeakMap<Snapshot, BlockList | undefined>()

/** Read once for each change of the configuration. */
function currentRanges(configuration: LiveConfiguration): BlockList | undefined {
  const { snapshot } = configuration
  if (!rangesOf.has(snapshot)) rangesOf.set(snapshot, readRanges(configuration.objects(kindOfRanges)))
  return rangesOf.get(snapshot)
}

function mayComeFrom(ranges: BlockList | undefined, address: string): boolean {
  return ranges === undefined || isIn(ranges, address)
}

/** Undefined while there are none: then everybody may come. */
function readRanges(objects: Iterable<ConfigurationObject>): BlockList | undefined {
  const ranges = new BlockList()
  let isEmpty = true
  for (const { content } of objects) {
    isEmpty = false
    const network = String(content.values['ip-address'])
    ranges.addSubnet(network, prefixLength(network, String(content.values.netmask)), familyOf(network))
  }
  return isEmpty ? undefined : ranges
}

/** "255.255.255.0" and "24" are both 24; a length that is too large means one machine. */
function prefixLength(network: string, netmask: string): number {
  const longest = familyOf(network) === 'ipv4' ? 32 : 128
  if (isIP(netmask) === 0) return Math.min(longest, Number(netmask))
  return netmask
    .split('.')
    .reduce((ones, octet) => ones + Number(octet).toString(2).replaceAll('0', '').length, 0)
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function isHttpsOnly(configuration: LiveConfiguration): boolean {
  const { content } = configuration.system()
  return valuesOf(content, 'secure-administration')['https-access-only'] === 'Yes'
}

/** Where a trusted proxy says how its client came, that counts. */
function isEncrypted(request: FastifyRequest): boolean {
  return request.protocol === 'https' || 'encrypted' in request.raw.socket
}
