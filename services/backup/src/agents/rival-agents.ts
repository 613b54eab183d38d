import { instanceHeader } from '@palisade/agent-protocol'
import { type Attention, type Clock, clientAddress, type Log, RequestRefused } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { AgentLink, AgentLinks } from './agent-links.ts'

/** A refused agent comes again within five minutes, so that one that came no more for this long has been stopped. */
const refusalCountsMs = 15 * 60_000
const instanceLengthMax = 100

interface Refusal {
  readonly atMs: number
  readonly connectedFrom: string
  readonly refusedFrom: string
}

/**
 * Keeps two agents from running as one computer, as when a machine was cloned: while one is connected and answers, another one gets no
 * link, and one whose credential another one's enrolment has ended does not enrol back. Otherwise both would take turns for ever. Agents
 * of earlier releases do not say which process they are; the newest of them has the link.
 */
export class RivalAgents {
  readonly #links: AgentLinks
  readonly #clock: Clock
  readonly #log: Log
  readonly #refusals = new Map<string, Refusal>()
  /** The agent that was connected when another one enrolled in its place, by the computer's domain. */
  readonly #replaced = new Map<string, string>()

  constructor({ links, clock, log }: { links: AgentLinks; clock: Clock; log: Log }) {
    this.#links = links
    this.#clock = clock
    this.#log = log
  }

  /** @throws RequestRefused conflict when another agent has the computer's link and answers */
  async refuseSecondLink(computer: ComputerId, request: FastifyRequest): Promise<void> {
    const rival = await this.#rivalOf(computer, request)
    if (rival) this.#refuse(computer, rival, request)
  }

  /**
   * Is asked before an enrolment.
   *
   * @throws RequestRefused conflict when the agent was replaced by one that is connected and answers
   * @returns tells of the enrolment, when it has ended the credential of an agent that was there
   */
  async refuseEnrollingBack(computer: ComputerId, request: FastifyRequest): Promise<() => void> {
    const rival = await this.#rivalOf(computer, request)
    if (!rival) return () => {}
    const domain = domainOf(computer)
    if (this.#replaced.get(domain) === instanceOf(request)) this.#refuse(computer, rival, request)
    const enrolledFrom = clientAddress(request)
    return () => {
      if (rival.instance !== undefined) this.#replaced.set(domain, rival.instance)
      this.#log.warn(
        { computer: domain, replacedAt: rival.address, enrolledFrom },
        'an agent has enrolled in place of one that was connected',
      )
    }
  }

  /** Of which computers a second agent was refused lately. */
  attention(): Attention[] {
    const since = this.#clock.now() - refusalCountsMs
    return [...this.#refusals].flatMap(([domain, { atMs, connectedFrom, refusedFrom }]) => {
      if (atMs < since) {
        this.#refusals.delete(domain)
        return []
      }
      return {
        condition: 'two-agents',
        subject: `computer ${domain}`,
        severity: 'warning',
        isOfServer: true,
        message: `Two agents run as this computer, as on a machine that was cloned: the one at ${connectedFrom} is connected, and the one at ${refusedFrom} is refused.`,
        remedy:
          'stop one of them, or give it a computer of its own: palisade backup enrol, and an empty state directory; docs/operating/emergencies.md#an-agent-is-offline',
      }
    })
  }

  async #rivalOf(computer: ComputerId, request: FastifyRequest): Promise<AgentLink | undefined> {
    const instance = instanceOf(request)
    const link = this.#links.of(computer)
    if (!link || instance === undefined || link.instance === undefined) return undefined
    if (link.instance === instance) return undefined
    return (await link.answers()) && this.#links.isCurrent(link) ? link : undefined
  }

  #refuse(computer: ComputerId, { address: connectedFrom }: AgentLink, request: FastifyRequest): never {
    const refusedFrom = clientAddress(request)
    this.#refusals.set(domainOf(computer), { atMs: this.#clock.now(), connectedFrom, refusedFrom })
    this.#log.warn(
      { computer: domainOf(computer), connectedFrom, refusedFrom },
      'a second agent of one computer is refused: was its machine cloned?',
    )
    throw new RequestRefused(
      'conflict',
      `Another agent runs as this computer, at ${connectedFrom}. Stop one of them, or give this one a computer and a state directory of its own.`,
    )
  }
}

/** Which process of an agent has sent a request; undefined when it does not say. */
export function instanceOf({ headers }: FastifyRequest): string | undefined {
  const header = headers[instanceHeader]
  return typeof header === 'string' && header.length <= instanceLengthMax ? header : undefined
}
