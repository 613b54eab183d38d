import type { ProxySnapshot, SnapshotChecks, SnapshotServer, SnapshotService } from '@palisade/proxy-protocol'

/**
 * The snapshot as one of several workers is to serve it. What may be there so often at once is divided among them: connections to a
 * server, and requests that are served of those that wait for their turn. What one client may have waiting is not divided: its
 * connections may all be one worker's.
 */
export function shareOf(snapshot: ProxySnapshot, workers: number): ProxySnapshot {
  if (workers === 1) return snapshot
  return { ...snapshot, services: snapshot.services.map((service) => shareOfService(service, workers)) }
}

function shareOfService(service: SnapshotService, workers: number): SnapshotService {
  const ofServers = (servers: readonly SnapshotServer[]) =>
    servers.map((server) => ({ ...server, connectionsMax: share(server.connectionsMax, workers) }))
  return {
    ...service,
    servers: ofServers(service.servers),
    contentRules: service.contentRules.map((rule) => ({ ...rule, servers: ofServers(rule.servers) })),
    ...(service.checks ? { checks: shareOfChecks(service.checks, workers) } : {}),
  }
}

function shareOfChecks(checks: SnapshotChecks, workers: number): SnapshotChecks {
  const { requestPool: pool } = checks
  if (pool === undefined) return checks
  const { activeMax, clientsMax } = pool
  return {
    ...checks,
    requestPool: {
      ...pool,
      activeMax: share(activeMax, workers),
      clientsMax: share(clientsMax, workers),
    },
  }
}

/** One at least, so that no worker is without; nothing of 0. */
function share(limit: number, workers: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / workers))
}
