import type { AgentMessage, DiskComparison } from '@palisade/agent-protocol'
import { type Log, RequestRefused } from '@palisade/platform'
import type { ActionOutcome } from '../actions/action.ts'
import type { Actions } from '../actions/actions.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import { agentOffline } from '../agents/agent-links.ts'
import { Questions } from '../agents/questions.ts'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Computer } from '../computers/computers.ts'
import { toRestore } from '../restore/chosen-revisions.ts'
import type { Revision } from '../revisions/revisions.ts'
import { singleLine } from '../single-line.ts'

/** A disk of many terabytes is read in this time. */
const answerMaxMs = 7 * 86_400_000
const failureLengthMax = 500
/** Each reads a disk from end to end. */
const unfinishedMax = 8

/** Where the disk is that is to be compared. */
export interface DiskToCompare {
  /** Of a file on the computer, absolute. */
  readonly path: string
  /** Counted from 1; the one that has the size of the volume when left out. */
  readonly partition?: number
}

/** Has agents compare disks with revisions. What came of it is an action. */
export class DiskComparisons {
  readonly #questions: Questions<DiskComparison>
  readonly #links: AgentLinks
  readonly #actions: Actions
  readonly #log: Log
  /** How many comparisons of a computer have not ended, by its domain. */
  readonly #unfinished = new Map<string, number>()

  constructor(deps: { links: AgentLinks; actions: Actions; log: Log }) {
    this.#questions = new Questions({ links: deps.links, answerMaxMs })
    this.#links = deps.links
    this.#actions = deps.actions
    this.#log = deps.log
  }

  /**
   * Asks the computer's agent to compare a disk with a revision.
   *
   * @returns the id of the action
   * @throws RequestInvalid when the agent is offline
   * @throws RequestRefused conflict when enough comparisons of the computer have not ended
   */
  async request(computer: Computer, revision: Revision, disk: DiskToCompare): Promise<number> {
    if (!this.#links.isOnline(computer)) throw agentOffline()
    const domain = domainOf(computer)
    if ((this.#unfinished.get(domain) ?? 0) >= unfinishedMax) {
      throw new RequestRefused('conflict', `${unfinishedMax} comparisons of this computer have not ended.`)
    }
    this.#count(domain, 1)
    const { id } = await this.#actions.enter(computer, 'compare-disk').catch((error: unknown) => {
      this.#count(domain, -1)
      throw error
    })
    this.#compare(computer, revision, disk)
      .finally(() => this.#count(domain, -1))
      .then((outcome) => this.#actions.end(id, outcome))
      .catch((err: unknown) => {
        // The next start ends it.
        this.#log.error({ err, computer: domainOf(computer), action: id }, 'an action could not be ended')
      })
    return id
  }

  /** Takes an answer; see `Questions`. */
  take(computer: ComputerId, { id, comparison }: Extract<AgentMessage, { type: 'compared' }>): void {
    this.#questions.take(computer, id, comparison)
  }

  /** The link of a computer's agent has ended: nobody will answer. */
  giveUp(computer: ComputerId): void {
    this.#questions.giveUp(computer)
  }

  #count(domain: string, change: number): void {
    const count = (this.#unfinished.get(domain) ?? 0) + change
    if (count > 0) this.#unfinished.set(domain, count)
    else this.#unfinished.delete(domain)
  }

  async #compare(computer: Computer, revision: Revision, disk: DiskToCompare): Promise<ActionOutcome> {
    const request = { ...disk, revision: toRestore(computer, revision) }
    const answer = await this.#questions.ask(computer, (id) => ({ type: 'compare-disk', id, ...request }))
    return outcomeOf(answer)
  }
}

function outcomeOf(answer: DiskComparison | 'unreachable'): ActionOutcome {
  if (answer === 'unreachable')
    return { state: 'ERROR', reason: 'the agent went away before it had compared the disk' }
  if ('failure' in answer) {
    return {
      state: 'ERROR',
      reason: `the disk cannot be compared: ${singleLine(answer.failure, failureLengthMax)}`,
    }
  }
  const { chunksCompared, chunksDifferent, firstDifferences } = answer
  if (chunksDifferent === 0) return { state: 'SUCCESS', reason: '' }
  const where = firstDifferences.length === 0 ? '' : `, at bytes ${firstDifferences.join(', ')} of the volume`
  const more = where !== '' && chunksDifferent > firstDifferences.length ? ' and further on' : ''
  return { state: 'ERROR', reason: `${chunksDifferent} of ${chunksCompared} chunks differ${where}${more}` }
}
