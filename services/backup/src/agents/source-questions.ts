import type { AgentMessage, BackupSource } from '@palisade/agent-protocol'
import type { ComputerId } from '../computer-id.ts'
import type { AgentLinks } from './agent-links.ts'
import { Questions } from './questions.ts'

type Answer = Extract<AgentMessage, { type: 'sources-checked' }>

/** Asks agents whether sources can be backed up, and waits for the answers. */
export class SourceQuestions {
  readonly #links: AgentLinks
  readonly #questions: Questions<Answer['faults']>

  /** @param deps.answerMaxMs an agent that has not answered after so many milliseconds is taken for unreachable */
  constructor(deps: { links: AgentLinks; answerMaxMs: number }) {
    this.#links = deps.links
    this.#questions = new Questions(deps)
  }

  /**
   * @returns for each source why it cannot be backed up, or null; unreachable when there is no agent, it did not answer, or it is of a version
   *   that cannot say
   */
  async ask(
    computer: ComputerId,
    sources: readonly BackupSource[],
  ): Promise<readonly (string | null)[] | 'unreachable'> {
    if (sources.length === 0) return []
    if (!this.#links.canCheckSources(computer)) return 'unreachable'
    const message = { type: 'check-sources' as const, sources: [...sources] }
    const faults = await this.#questions.ask(computer, (id) => ({ ...message, id }))
    return faults === 'unreachable' || faults.length !== sources.length ? 'unreachable' : faults
  }

  /** Takes an answer; see `Questions`. */
  take(computer: ComputerId, { id, faults }: Answer): void {
    this.#questions.take(computer, id, faults)
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    this.#questions.giveUp(computer)
  }
}
