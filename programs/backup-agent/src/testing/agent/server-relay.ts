import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import type { Scope } from '../scope.ts'
import { basePath, type ProtocolServer } from './protocol-server.ts'

/** What becomes of a connection that the agent has made, or makes. */
type Behaviour = 'passes-on' | 'answers-503' | 'says-nothing'

const unavailable = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** One of several servers of an installation: all that it is asked it passes on to the one that has the vault, until it fails. */
export class ServerRelay {
  url = ''
  readonly #server: Server
  readonly #targetPort: number
  readonly #sockets = new Set<Socket>()
  #behaviour: Behaviour = 'passes-on'

  private constructor(target: ProtocolServer, certificate?: { cert: string; key: string }) {
    this.#targetPort = Number(new URL(target.url).port)
    const take = (socket: Socket) => this.#take(socket)
    this.#server = certificate === undefined ? createServer(take) : createSecureServer(certificate, take)
  }

  /** Ends with `t`. @param certificate what it shows; it speaks plainly when left out */
  static async start(
    t: Scope,
    target: ProtocolServer,
    certificate?: { cert: string; key: string },
  ): Promise<ServerRelay> {
    const relay = new ServerRelay(target, certificate)
    await relay.#listen(0)
    const address = relay.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the relay has no port')
    relay.url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}${basePath}`
    t.after(() => relay.cut())
    return relay
  }

  /** Ends all connections and takes no more. */
  cut(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Answers whatever it is asked next with 503. */
  answer503(): void {
    this.#behaviour = 'answers-503'
  }

  /** Takes connections, and lets nothing through on any. */
  sayNothing(): void {
    this.#behaviour = 'says-nothing'
  }

  /** Serves again, over new connections, whatever it did before. */
  async recover(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#behaviour = 'passes-on'
    if (!this.#server.listening) await this.#listen(Number(new URL(this.url).port))
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  #take(socket: Socket): void {
    const target = connect(this.#targetPort, '127.0.0.1')
    this.#sockets.add(socket)
    socket.on('data', (bytes) => {
      if (this.#behaviour === 'passes-on') target.write(bytes)
      else if (this.#behaviour === 'answers-503' && socket.writable) socket.end(unavailable)
    })
    target.on('data', (bytes) => {
      if (this.#behaviour !== 'says-nothing') socket.write(bytes)
    })
    // Each of them fails when it is written to after its end.
    for (const end of [socket, target]) end.on('error', () => {})
    target.on('close', () => {
      if (this.#behaviour !== 'says-nothing') socket.destroy()
    })
    socket.on('close', () => {
      this.#sockets.delete(socket)
      target.destroy()
    })
  }
}
