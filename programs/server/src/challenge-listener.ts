import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Challenges } from '@palisade/acme-challenges'
import type { Log, ServiceWarning } from '@palisade/platform'
import { whyNotListening } from '@palisade/start-up'

/** How long after it could not be opened it is tried again, in milliseconds. */
const reopenMs = 10_000

/** An authority asks at once, and keeps no connection, in milliseconds. */
const requestMaxMs = 10_000

/** The member that says where it listens. */
const member = 'firewall.acme.challengeListener'

/** Where it listens. */
interface Address {
  readonly host: string
  readonly port: number
}

/** Answers certificate authorities at port 80, where nothing else of the firewall does, and nobody else. */
export class ChallengeListener {
  readonly #challenges: Challenges
  readonly #log: Log
  #address: Address | undefined
  #server: Server | undefined
  #problem = ''
  #reopening: NodeJS.Timeout | undefined

  /** Listens nowhere before {@link use}. */
  constructor(deps: { readonly challenges: Challenges; readonly log: Log }) {
    this.#challenges = deps.challenges
    this.#log = deps.log
  }

  /** Listens there from now on or, where that cannot be, as soon as it can; nowhere when undefined. */
  async use(address: Address | undefined): Promise<void> {
    if (isDeepStrictEqual(address, this.#address)) return
    await this.close()
    this.#problem = ''
    this.#address = address
    if (address !== undefined) await this.#open(address)
  }

  /** That it could not be opened yet. */
  warnings(): readonly ServiceWarning[] {
    if (this.#problem === '') return []
    return [{ condition: 'listener-closed', message: `${this.#problem}. It is tried again.` }]
  }

  async close(): Promise<void> {
    clearTimeout(this.#reopening)
    this.#address = undefined
    const server = this.#server
    this.#server = undefined
    if (!server?.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async #open(address: Address): Promise<void> {
    const { host, port } = address
    const server = this.#newServer()
    try {
      server.listen(port, host)
      await once(server, 'listening')
      // Another address may have been said meanwhile.
      if (this.#address !== address) {
        server.close()
        return
      }
      if (this.#problem !== '') this.#log.info({ listener: member, port }, 'opened a listener')
      this.#problem = ''
      this.#server = server
      server.on('error', (err) => this.#log.error({ err }, 'a connection was not accepted'))
    } catch (error) {
      const problem = `${member} names ${host}, port ${port}, which cannot be opened: ${whyNotListening(error)}`
      if (this.#address !== address) return
      // Once, and not with each try.
      if (this.#problem !== problem) this.#log.error({ listener: member }, problem)
      this.#problem = problem
      this.#reopening = setTimeout(() => void this.#open(address), reopenMs).unref()
    }
  }

  #newServer(): Server {
    const server = createServer((request, response) => {
      const proof = request.method === 'GET' ? this.#challenges.ofRequest(request.url ?? '') : undefined
      if (proof === undefined) response.writeHead(404, { connection: 'close' }).end()
      else response.writeHead(proof.status, { ...proof.headers, connection: 'close' }).end(proof.body)
    })
    server.headersTimeout = requestMaxMs
    server.requestTimeout = requestMaxMs
    return server
  }
}
