import { randomUUID } from 'node:crypto'
import type { ServerMessage } from '@palisade/agent-protocol'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { AgentLinks } from './agent-links.ts'

/** Asks agents something, and waits for the answers. A question is asked once, and nobody keeps it. */
export class Questions<Answer> {
  readonly #links: AgentLinks
  readonly #answerMaxMs: number
  readonly #open = new Map<string, { computer: string; answered: (answer: Answer | 'unreachable') => void }>()

  /** @param deps.answerMaxMs an agent that has not answered after so many milliseconds is taken for unreachable */
  constructor(deps: { links: AgentLinks; answerMaxMs: number }) {
    this.#links = deps.links
    this.#answerMaxMs = deps.answerMaxMs
  }

  /**
   * @param question under an id that the answer is to bear
   * @returns the answer; `unreachable` when there is no agent, or it did not answer
   */
  async ask(computer: ComputerId, question: (id: string) => ServerMessage): Promise<Answer | 'unreachable'> {
    if (!this.#links.isOnline(computer)) return 'unreachable'
    const id = randomUUID()
    return new Promise<Answer | 'unreachable'>((resolve) => {
      const timeout = setTimeout(() => answered('unreachable'), this.#answerMaxMs)
      const answered = (answer: Answer | 'unreachable') => {
        clearTimeout(timeout)
        this.#open.delete(id)
        resolve(answer)
      }
      this.#open.set(id, { computer: domainOf(computer), answered })
      this.#links.send(computer, question(id))
    })
  }

  /** Takes an answer. One that nobody of this computer waits for is dropped: it came too late. */
  take(computer: ComputerId, id: string, answer: Answer): void {
    const question = this.#open.get(id)
    if (question?.computer === domainOf(computer)) question.answered(answer)
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    const unreachableDomain = domainOf(computer)
    for (const { computer: asked, answered } of [...this.#open.values()]) {
      if (asked === unreachableDomain) answered('unreachable')
    }
  }
}
