import type { SnapshotServer } from '@palisade/proxy-protocol'
import { Health } from './health.ts'
import { Http1Connections } from './http1/http1-connections.ts'
import { Http2Connections } from './http2-connections.ts'
import { probe } from './probe.ts'
import type { ServerConnections } from './server-connections.ts'

/**
 * Connections to one server, and how it fares. Shared by all services and snapshots that say the same about the server, so that
 * a change leaves the connections alone that it is not about.
 */
export class ServerPool {
  readonly server: SnapshotServer
  readonly connections: ServerConnections
  readonly health: Health
  readonly #probing: NodeJS.Timeout | undefined

  /** @param onNews told when a probe shows something new */
  constructor(server: SnapshotServer, now: () => number, onNews: () => void) {
    this.server = server
    this.health = new Health(server.health, now)
    this.connections = server.offersHttp2 ? new Http2Connections(server) : new Http1Connections(server)
    const { everySeconds } = server.health.probe ?? {}
    if (everySeconds === undefined) return
    this.#probing = setInterval(async () => {
      if (this.health.probed(await probe(server))) onNews()
    }, everySeconds * 1000).unref()
  }

  /** Requests that it has not answered yet. */
  get underWay(): number {
    return this.connections.underWay
  }

  /** Lets running requests end. */
  async close(): Promise<void> {
    clearInterval(this.#probing)
    await this.connections.close()
  }
}

/** The pools of all servers that are in use, each once. */
export class ServerPools {
  readonly #pools = new Map<string, { readonly pool: ServerPool; users: number }>()
  readonly #now: () => number
  readonly #onNews: () => void

  /** @param onNews told when a server fares otherwise than before, and no request has shown it */
  constructor(now: () => number, onNews: () => void) {
    this.#now = now
    this.#onNews = onNews
  }

  /** A pool for the server, to be given back with {@link release}. */
  take(server: SnapshotServer): ServerPool {
    const key = keyOf(server)
    const entry = this.#pools.get(key) ?? {
      pool: new ServerPool(server, this.#now, this.#onNews),
      users: 0,
    }
    entry.users++
    this.#pools.set(key, entry)
    return entry.pool
  }

  release(pool: ServerPool): void {
    const key = keyOf(pool.server)
    const entry = this.#pools.get(key)
    if (entry?.pool !== pool || --entry.users > 0) return
    this.#pools.delete(key)
    settled(pool.close())
  }
}

/** An end that was reached before leaves nothing to be ended. */
function settled(ending: Promise<void>): void {
  ending.catch(() => undefined)
}

/** Whatever the connections depend on. */
function keyOf({
  state: _state,
  isBackup: _isBackup,
  weight: _weight,
  ...connection
}: SnapshotServer): string {
  return JSON.stringify(connection)
}
