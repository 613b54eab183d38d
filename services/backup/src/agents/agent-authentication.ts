import { markAuthenticated, RequestRefused } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'

/** Who has sent a request, and for how long that counts. */
interface Sender {
  readonly computer: ComputerId
  /** Aborted when the credential ends. */
  readonly signal: AbortSignal
}

/** Knows which computer's agent has sent a request, and ends requests whose credential ends. */
export class AgentAuthentication {
  readonly #computers: Computers
  readonly #senders = new WeakMap<FastifyRequest, Sender>()
  /** Aborted when a credential ends; one for each computer whose agent has sent requests with its present credential. */
  readonly #credentials = new Map<string, AbortController>()
  #ended = 0

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
    const computer = credential === undefined ? undefined : await this.#ownerOf(credential)
    if (!computer) throw credentialRequired()
    markAuthenticated(request)
    this.#senders.set(request, { computer, signal: this.#signalOf(computer) })
  }

  /** The computer whose agent has sent a request that {@link check} has let through. */
  senderOf(request: FastifyRequest): ComputerId {
    return this.#senderOf(request).computer
  }

  /** Aborted, with a refusal, when the credential of a request that {@link check} has let through ends. */
  signalOf(request: FastifyRequest): AbortSignal {
    return this.#senderOf(request).signal
  }

  /** The credential that the computer's agent had is no longer in the store: what is under way with it ends. */
  credentialEnded(computer: ComputerId): void {
    this.#ended++
    const name = domainOf(computer)
    this.#credentials.get(name)?.abort(credentialRequired())
    this.#credentials.delete(name)
  }

  /** Asks again when a credential has ended meanwhile: it may be this one. */
  async #ownerOf(credential: string): Promise<ComputerId | undefined> {
    for (;;) {
      const ended = this.#ended
      const computer = await this.#computers.ofCredential(credential)
      if (ended === this.#ended) return computer
    }
  }

  #signalOf(computer: ComputerId): AbortSignal {
    const name = domainOf(computer)
    const controller = this.#credentials.get(name) ?? new AbortController()
    this.#credentials.set(name, controller)
    return controller.signal
  }

  #senderOf(request: FastifyRequest): Sender {
    const sender = this.#senders.get(request)
    if (!sender) throw new Error('a request of an agent was not authenticated')
    return sender
  }
}

function credentialRequired(): RequestRefused {
  return new RequestRefused('unauthenticated', 'The credential of an enrolled agent is required.', {
    headers: { 'www-authenticate': 'Bearer realm="palisade-agent"' },
  })
}
