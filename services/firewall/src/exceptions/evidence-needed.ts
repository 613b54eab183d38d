import { BlockList, isIP, isIPv4 } from 'node:net'
import {
  exceptionProfilingReader,
  exceptionProfilingTrustedHosts,
} from '../features/exception-profiling/compile.ts'
import { networksOf } from '../features/trusted-hosts/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { EvidenceNeeded } from './proposal.ts'

/** The requests of one client alone are never enough. */
const clientsNeeded = 2

/** What the exception profiling of a service asks for. Where it is off, as for the level that takes most. */
export function evidenceNeeded(service: ConfigurationObject, snapshot: Snapshot): EvidenceNeeded {
  const { requests, trustsHosts } = exceptionProfilingReader.of(service)
  const groups = trustsHosts ? exceptionProfilingTrustedHosts.of(service, snapshot) : []
  const trusted = new BlockList()
  for (const network of groups.flatMap(networksOf)) addNetwork(trusted, network)
  return {
    requests,
    clients: clientsNeeded,
    isTrusted: (client) => isIP(client) > 0 && trusted.check(client, family(client)),
  }
}

/** @param network an address, with or without the length of its prefix */
function addNetwork(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/')
  if (isIP(address) === 0) return
  if (prefix === undefined) list.addAddress(address, family(address))
  else list.addSubnet(address, Number(prefix), family(address))
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
