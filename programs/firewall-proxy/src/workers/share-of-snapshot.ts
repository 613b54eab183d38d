import type { ProxySnapshot } from '@palisade/proxy-protocol'

/**
 * The snapshot as one of several workers is to serve it: each opens its share of the connections that a server may have at once,
 * one at least.
 */
export function shareOf(snapshot: ProxySnapshot, workers: number): ProxySnapshot {
  if (workers === 1) return snapshot
  return {
    ...snapshot,
    services: snapshot.services.map((service) => ({
      ...service,
      servers: service.servers.map((server) => ({
        ...server,
        connectionsMax:
          server.connectionsMax === 0 ? 0 : Math.max(1, Math.floor(server.connectionsMax / workers)),
      })),
    })),
  }
}
