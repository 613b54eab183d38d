import type { SnapshotServer, SnapshotService } from '@palisade/proxy-protocol'
import { ServerUnavailable } from './server-connections.ts'

/** Why a request was ended: its server is to serve nobody any more, from now on. */
export class TakenOutOfService extends ServerUnavailable {
  constructor() {
    super('the server was taken out of service', { othersMayServe: false })
  }
}

/**
 * Tells the servers that a service has taken out of service altogether (`off`), so that what they are doing is ended as well.
 *
 * @returns undefined where there are none
 */
export function disabledServers({
  servers,
  contentRules,
}: SnapshotService): ((server: SnapshotServer) => boolean) | undefined {
  const all = [...servers, ...contentRules.flatMap((rule) => rule.servers)]
  const off = new Set(all.filter(({ state }) => state === 'off').map(keyOf))
  // A content rule may go on with a server that others have given up.
  for (const one of all) if (one.state !== 'off') off.delete(keyOf(one))
  return off.size === 0 ? undefined : (server) => off.has(keyOf(server))
}

function keyOf({ name, host, port }: SnapshotServer): string {
  return JSON.stringify([name, host, port])
}
