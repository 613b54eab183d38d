import { connect, createServer, type Socket } from 'node:net'

/** A path to a server that can swallow bytes in both directions, as a broken network does, or refuse connections. */
export class NetworkPath {
  /** Whether what arrives at either end is dropped without a word. */
  swallows = false
  readonly #sockets = new Set<Socket>()
  readonly #target: URL
  #port = 0
  readonly #server = createServer((near) => {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.on('data', (bytes) => this.swallows || to.write(bytes))
    }
  })

  /** @param address the URL of the server */
  constructor(address: string) {
    this.#target = new URL(address)
  }

  /** @returns the URL by which the server is reached over this path; the same port again after it was closed */
  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(this.#port, '127.0.0.1', done))
    const address = new URL(this.#target)
    const bound = this.#server.address()
    if (bound === null || typeof bound === 'string') throw new Error('the path has no port')
    this.#port = bound.port
    address.host = `127.0.0.1:${this.#port}`
    return address.href
  }

  /** Cuts all connections and refuses new ones, until it is opened again. */
  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
