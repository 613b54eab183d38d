import type {
  AgentMessage,
  HostAnswer,
  HostDescription,
  HostQuestion,
  Obstacle,
} from '@palisade/agent-protocol'
import type { ComputerId } from '../computer-id.ts'
import { singleLine } from '../single-line.ts'
import type { AgentLinks } from './agent-links.ts'
import { agentOffline } from './agent-links.ts'
import { Questions } from './questions.ts'

const messageLengthMax = 500

/** The agent was asked something about a host, or a folder for its disks, and cannot tell. */
export class HostSilent extends Error {
  override readonly name = 'HostSilent'
}

/** Asks agents about the hypervisors that they reach, and about folders for disks of machines. */
export class HostQuestions {
  readonly #questions: Questions<HostAnswer>

  /** @param deps.answerMaxMs an agent that has not answered after so many milliseconds is taken for unreachable */
  constructor(deps: { links: AgentLinks; answerMaxMs: number }) {
    this.#questions = new Questions(deps)
  }

  /**
   * A host as its agent finds it now.
   *
   * @throws RequestInvalid when the agent cannot be reached
   * @throws HostSilent with what the agent says when it cannot tell
   */
  async describe(
    computer: ComputerId,
    host: Extract<HostQuestion, { about: 'host' }>['host'],
  ): Promise<HostDescription> {
    const answer = await this.#ask(computer, { about: 'host', host })
    if (answer.kind !== 'described') throw new HostSilent('the agent answers something else')
    return answer.host
  }

  /**
   * What stands against something; nothing when all is well. Throws as {@link describe} does.
   */
  async check(
    computer: ComputerId,
    question: Exclude<HostQuestion, { about: 'host' }>,
  ): Promise<readonly Obstacle[]> {
    const answer = await this.#ask(computer, question)
    if (answer.kind !== 'checked') throw new HostSilent('the agent answers something else')
    return answer.obstacles
  }

  /** Takes an answer; see `Questions`. */
  take(computer: ComputerId, { id, answer }: Extract<AgentMessage, { type: 'host-answer' }>): void {
    this.#questions.take(computer, id, answer)
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    this.#questions.giveUp(computer)
  }

  async #ask(computer: ComputerId, question: HostQuestion): Promise<HostAnswer> {
    const answer = await this.#questions.ask(computer, (id) => ({ type: 'ask-host', id, question }))
    if (answer === 'unreachable') throw agentOffline()
    if (answer.kind === 'failed') throw new HostSilent(singleLine(answer.obstacle.message, messageLengthMax))
    return answer
  }
}
