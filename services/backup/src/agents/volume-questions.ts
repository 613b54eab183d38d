import { randomUUID } from 'node:crypto'
import type { AgentMessage, DiscoveredVolume } from '@palisade/agent-protocol'
import { type ComputerId, domainOf } from '../computers/computer-id.ts'
import type { AgentLinks } from './agent-links.ts'

type Answer = Extract<AgentMessage, { type: 'volumes' }>

/** What came of asking an agent for the volumes of its computer. */
export type Discovery =
  | { readonly volumes: readonly DiscoveredVolume[] }
  /** The agent cannot tell, and says why. */
  | { readonly failure: string }
  /** There is no agent, or it did not answer. */
  | 'unreachable'

/** Asks agents for the volumes of their computers, and waits for the answers. */
export class VolumeQuestions {
  readonly #links: AgentLinks
  readonly #answerMaxMs: number
  readonly #open = new Map<string, { computer: string; answered: (answer: Discovery) => void }>()

  /** @param deps.answerMaxMs an agent that has not answered after so many milliseconds is taken for unreachable */
  constructor(deps: { links: AgentLinks; answerMaxMs: number }) {
    this.#links = deps.links
    this.#answerMaxMs = deps.answerMaxMs
  }

  async ask(computer: ComputerId): Promise<Discovery> {
    if (!this.#links.isOnline(computer)) return 'unreachable'
    const id = randomUUID()
    return new Promise<Discovery>((resolve) => {
      const timeout = setTimeout(() => answered('unreachable'), this.#answerMaxMs)
      const answered = (answer: Discovery) => {
        clearTimeout(timeout)
        this.#open.delete(id)
        resolve(answer)
      }
      this.#open.set(id, { computer: domainOf(computer), answered })
      this.#links.send(computer, { type: 'discover-volumes', id })
    })
  }

  /** Takes an answer. One that nobody of this computer waits for is dropped: it came too late. */
  take(computer: ComputerId, { id, volumes, failure }: Answer): void {
    const question = this.#open.get(id)
    if (question?.computer !== domainOf(computer)) return
    question.answered(
      volumes ? { volumes } : { failure: failure ?? 'the agent gave neither volumes nor a reason' },
    )
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    const gone = domainOf(computer)
    for (const { computer: asked, answered } of [...this.#open.values()]) {
      if (asked === gone) answered('unreachable')
    }
  }
}
