import type { Socket } from 'node:net'
import { markLoggedIn } from '../connection-login.ts'
import type { ServerConnection } from './connection.ts'

/**
 * Connections to a server over which clients have logged in, each for one connection of a client alone. They end with that, and carry
 * one request at a time: of those that come meanwhile the server does not learn who sent them.
 */
export class ReservedConnections {
  /** By whose it is; undefined for one that ends with its request. */
  readonly #clients = new Map<ServerConnection, Socket | undefined>()
  readonly #byClient = new Map<Socket, ServerConnection>()
  readonly #unused = new Set<ServerConnection>()
  /** Clients whose end is waited for. */
  readonly #watched = new WeakSet<Socket>()

  /** How many wait for a request of their client. */
  get unusedCount(): number {
    return this.#unused.size
  }

  /** @param client undefined where its requests do not come one after the other */
  reserve(connection: ServerConnection, client: Socket | undefined): void {
    if (client === undefined || client.destroyed) {
      this.#clients.set(connection, undefined)
      return
    }
    const before = this.#byClient.get(client)
    if (before === connection) return
    if (before) this.#disown(before)
    this.#watch(client)
    markLoggedIn(client)
    this.#clients.set(connection, client)
    this.#byClient.set(client, connection)
  }

  has(connection: ServerConnection): boolean {
    return this.#clients.has(connection)
  }

  isFor(client: Socket | undefined): boolean {
    return client !== undefined && this.#byClient.has(client)
  }

  /** That of a client, when it is free; it is in use then. @param serverName as TLS was told */
  take(client: Socket | undefined, serverName: string): ServerConnection | undefined {
    const connection = client && this.#byClient.get(client)
    if (connection?.serverName !== serverName || !this.#unused.delete(connection)) return undefined
    if (!connection.isStale) return connection
    connection.destroy()
    return undefined
  }

  /** Its request was answered: it waits for the next one, if there may be one. */
  free(connection: ServerConnection): void {
    if (this.#clients.get(connection) === undefined) connection.destroy()
    else this.#unused.add(connection)
  }

  /** Ends the one that has waited longest. */
  endOldest(): void {
    const [oldest] = this.#unused
    oldest?.destroy()
  }

  endUnused(): void {
    for (const connection of [...this.#unused]) connection.destroy()
  }

  /** To be told of each that is gone. */
  forget(connection: ServerConnection): void {
    const client = this.#clients.get(connection)
    this.#clients.delete(connection)
    this.#unused.delete(connection)
    if (client && this.#byClient.get(client) === connection) this.#byClient.delete(client)
  }

  #watch(client: Socket): void {
    if (this.#watched.has(client)) return
    this.#watched.add(client)
    client.once('close', () => this.#leave(client))
  }

  #leave(client: Socket): void {
    const connection = this.#byClient.get(client)
    this.#byClient.delete(client)
    if (connection) this.#disown(connection)
  }

  #disown(connection: ServerConnection): void {
    if (this.#unused.has(connection)) connection.destroy()
    else this.#clients.set(connection, undefined)
  }
}
