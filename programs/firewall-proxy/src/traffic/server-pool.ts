import { isIPv6 } from 'node:net'
import type { SnapshotServer } from '@palisade/proxy-protocol'
import { Pool } from 'undici'

/** A server that could not be reached is passed over for this long, as long as there are others. */
const restMs = 5_000

const connectTimeoutMs = 5_000

/**
 * Connections to one server, and what they showed about it. Shared by all services and snapshots that say the same about the
 * server, so that a change leaves the connections alone that it is not about.
 */
export class ServerPool {
  readonly server: SnapshotServer
  readonly dispatcher: Pool
  readonly #now: () => number
  #failure: string | undefined
  #restsUntil = 0
  #isKnown = false

  constructor(server: SnapshotServer, now: () => number) {
    this.server = server
    this.#now = now
    const host = isIPv6(server.host) ? `[${server.host}]` : server.host
    this.dispatcher = new Pool(`${server.tls ? 'https' : 'http'}://${host}:${server.port}`, {
      allowH2: false,
      connections: server.connectionsMax === 0 ? null : server.connectionsMax,
      // Without pipelining a connection is closed after its request.
      pipelining: server.keepAliveMs === 0 ? 0 : 1,
      ...(server.keepAliveMs === 0
        ? {}
        : { keepAliveTimeout: server.keepAliveMs, keepAliveMaxTimeout: server.keepAliveMs }),
      headersTimeout: server.responseTimeoutMs,
      bodyTimeout: server.responseTimeoutMs,
      connect: {
        timeout: connectTimeoutMs,
        ...(server.tls ? { rejectUnauthorized: server.tls.validatesCertificate } : {}),
      },
    })
  }

  /** Whether it is worth trying. */
  get isRested(): boolean {
    return this.#now() >= this.#restsUntil
  }

  /** Why the server could not be used; undefined when it could, or has not been tried. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Whether traffic has shown how it fares. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** @returns whether that is news */
  answered(): boolean {
    const isNews = !this.#isKnown || this.#failure !== undefined
    this.#isKnown = true
    this.#failure = undefined
    this.#restsUntil = 0
    return isNews
  }

  /** @returns whether that is news */
  failed(reason: string): boolean {
    const isNews = this.#failure !== reason
    this.#isKnown = true
    this.#failure = reason
    this.#restsUntil = this.#now() + restMs
    return isNews
  }

  /** Lets running requests end. */
  async close(): Promise<void> {
    await this.dispatcher.close()
  }
}

/** The pools of all servers that are in use, each once. */
export class ServerPools {
  readonly #pools = new Map<string, { readonly pool: ServerPool; users: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** A pool for the server, to be given back with {@link release}. */
  take(server: SnapshotServer): ServerPool {
    const key = keyOf(server)
    const known = this.#pools.get(key) ?? { pool: new ServerPool(server, this.#now), users: 0 }
    known.users++
    this.#pools.set(key, known)
    return known.pool
  }

  release(pool: ServerPool): void {
    const key = keyOf(pool.server)
    const known = this.#pools.get(key)
    if (!known || --known.users > 0) return
    this.#pools.delete(key)
    pool.close().catch(() => {
      // It was ended before: nothing is left to be closed.
    })
  }
}

/** Whatever the connections depend on. */
function keyOf({ state: _state, isBackup: _isBackup, ...connection }: SnapshotServer): string {
  return JSON.stringify(connection)
}
