import { RequestRefused } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { ComputerId } from '../computers/computer-id.ts'
import type { Computers } from '../computers/computers.ts'

/** Knows which computer's agent has sent a request. */
export class AgentAuthentication {
  readonly #computers: Computers
  readonly #senders = new WeakMap<FastifyRequest, ComputerId>()

  constructor(computers: Computers) {
    this.#computers = computers
  }

  /**
   * To be run before anything else of a request, the upgrade to a WebSocket included.
   *
   * @throws RequestRefused unauthenticated
   */
  readonly check = async (request: FastifyRequest): Promise<void> => {
    const [, credential] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    const computer = credential === undefined ? undefined : await this.#computers.ofCredential(credential)
    if (!computer) {
      throw new RequestRefused('unauthenticated', 'The credential of an enrolled agent is required.', {
        headers: { 'www-authenticate': 'Bearer realm="palisade-agent"' },
      })
    }
    this.#senders.set(request, computer)
  }

  /** The computer whose agent has sent a request that {@link check} has let through. */
  senderOf(request: FastifyRequest): ComputerId {
    const computer = this.#senders.get(request)
    if (!computer) throw new Error('a request of an agent was not authenticated')
    return computer
  }
}
