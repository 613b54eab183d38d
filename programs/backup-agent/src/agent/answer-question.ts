import type { AgentMessage, ServerMessage } from '@palisade/agent-protocol'
import type { Log } from '@palisade/log'
import type { ComparisonContext } from '../compare/compare-disk.ts'
import type { ComparisonQueue } from '../compare/comparison-queue.ts'
import { answerHostQuestion, type HostQuestionDependencies } from '../machine/answer-host-question.ts'
import { answerDiscovery } from '../volumes/answer-discovery.ts'
import { checkSources } from '../volumes/check-sources.ts'
import type { VolumeChoice } from '../volumes/choice.ts'
import { discoverVolumes } from '../volumes/discover.ts'

const questions = ['discover-volumes', 'check-sources', 'compare-disk', 'ask-host'] as const

/** What the server wants to know: it is answered beside all tasks, and not again when the link is lost meanwhile. */
export type Question = Extract<ServerMessage, { type: (typeof questions)[number] }>

/** What answers are made from, for all kinds of questions. */
export interface QuestionDependencies extends ComparisonContext, HostQuestionDependencies {
  /** Which volumes of this machine the server is told of. */
  readonly volumes: VolumeChoice
  readonly comparisons: ComparisonQueue
  readonly log: Log
}

/** Whether a message is answered by {@link answerQuestion}; all others are about tasks. */
export function isQuestion(message: ServerMessage): message is Question {
  return questions.some((type) => type === message.type)
}

/**
 * The answer, under the id of the question. What goes wrong on this computer or at a host is an answer too.
 * // @throws the signal's reason when it comes before a comparison has begun
 */
export async function answerQuestion(question: Question, deps: QuestionDependencies): Promise<AgentMessage> {
  const { id } = question
  switch (question.type) {
    case 'discover-volumes':
      return answerDiscovery(id, () => discoverVolumes(deps.volumes, deps.log))
    case 'check-sources':
      return { type: 'sources-checked', id, faults: await checkSources(question.sources, deps.volumes) }
    case 'compare-disk':
      return { type: 'compared', id, comparison: await deps.comparisons.compare(question, deps) }
    case 'ask-host':
      return { type: 'host-answer', id, answer: await answerHostQuestion(question.question, deps) }
  }
}
