import type { SnapshotService } from '@palisade/proxy-protocol'

/**
 * Which services stand before one application: those that share a server with each other, as the HTTP and the HTTPS service of a site
 * do.
 *
 * @returns for each service that shares a server, by its name, the first name of all that do
 */
export function applicationsOf(services: readonly SnapshotService[]): ReadonlyMap<string, string> {
  const first = new Map(services.map(({ name }) => [name, name]))
  const byServer = new Map<string, string>()
  for (const service of services) {
    for (const server of serversOf(service)) {
      const other = byServer.get(server)
      if (other === undefined) byServer.set(server, service.name)
      else join(first, other, service.name)
    }
  }
  return new Map(
    services.map(({ name }) => [name, firstOf(first, name)] as const).filter(([name, of]) => name !== of),
  )
}

/** Most services are the same after a change. */
const serversByService = new WeakMap<SnapshotService, ReadonlySet<string>>()

function serversOf(service: SnapshotService): ReadonlySet<string> {
  const before = serversByService.get(service)
  if (before !== undefined) return before
  const all = [service.servers, ...service.contentRules.map((rule) => rule.servers)].flat()
  const servers = new Set(all.map(({ host, port }) => JSON.stringify([host, port])))
  serversByService.set(service, servers)
  return servers
}

function join(first: Map<string, string>, one: string, other: string): void {
  const [a = one, b = other] = [firstOf(first, one), firstOf(first, other)].toSorted()
  first.set(b, a)
}

function firstOf(first: ReadonlyMap<string, string>, name: string): string {
  let before = name
  for (let next = first.get(before); next !== undefined && next !== before; next = first.get(before))
    before = next
  return before
}
