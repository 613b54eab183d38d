import type { AgentMessage, DiscoveredVolume } from '@palisade/agent-protocol'
import type { ComputerId } from '../computer-id.ts'
import type { AgentLinks } from './agent-links.ts'
import { Questions } from './questions.ts'

type Answer = Extract<AgentMessage, { type: 'volumes' }>

type Found =
  | { readonly volumes: readonly DiscoveredVolume[] }
  /** The agent cannot tell, and says why. */
  | { readonly failure: string }

/** What came of asking an agent for the volumes of its computer; unreachable when it did not answer. */
export type Discovery = Found | 'unreachable'

/** Asks agents for the volumes of their computers, and waits for the answers. */
export class VolumeQuestions {
  readonly #questions: Questions<Found>

  /** @param deps.answerMaxMs an agent that has not answered after so many milliseconds is taken for unreachable */
  constructor(deps: { links: AgentLinks; answerMaxMs: number }) {
    this.#questions = new Questions(deps)
  }

  async ask(computer: ComputerId): Promise<Discovery> {
    return this.#questions.ask(computer, (id) => ({ type: 'discover-volumes', id }))
  }

  /** Takes an answer; see `Questions`. */
  take(computer: ComputerId, { id, volumes, failure }: Answer): void {
    const matches = volumes
      ? { volumes }
      : { failure: failure ?? 'the agent gave neither volumes nor a reason' }
    this.#questions.take(computer, id, matches)
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    this.#questions.giveUp(computer)
  }
}
