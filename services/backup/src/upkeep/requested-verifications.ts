import { type Log, RequestRefused } from '@palisade/platform'
import { isVaultFailure } from '@palisade/vault'
import type { ActionOutcome } from '../actions/action.ts'
import type { Actions } from '../actions/actions.ts'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Verifications } from './verifications.ts'

/** Verifies revisions that somebody asked about, one after another. */
export class RequestedVerifications {
  readonly #actions: Actions
  readonly #verifications: Verifications
  readonly #log: Log
  readonly #closing = new AbortController()
  /** The revisions whose verifications have not ended, by computer and id. */
  readonly #unfinished = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: { actions: Actions; verifications: Verifications; log: Log }) {
    this.#actions = deps.actions
    this.#verifications = deps.verifications
    this.#log = deps.log
  }

  /**
   * Verifies a revision when those before it are done.
   *
   * @param samplePercent 1 to 100
   * @returns the id of the action
   * @throws RequestRefused conflict while another verification of the revision has not ended
   */
  async request(computer: ComputerId, revisionId: number, samplePercent: number): Promise<number> {
    const name = `${domainOf(computer)} ${revisionId}`
    if (this.#unfinished.has(name)) {
      throw new RequestRefused('conflict', 'A verification of this revision has not ended.')
    }
    this.#unfinished.add(name)
    try {
      const { id } = await this.#actions.enter(computer, 'verify-revision')
      this.#last = this.#last
        .then(() => this.#verify(computer, id, revisionId, samplePercent))
        .finally(() => this.#unfinished.delete(name))
      return id
    } catch (error) {
      this.#unfinished.delete(name)
      throw error
    }
  }

  /** Ends what is under way: its action says at the next start that the server was restarted. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#last
  }

  async #verify(computer: ComputerId, actionId: number, revisionId: number, samplePercent: number) {
    const { signal } = this.#closing
    if (signal.aborted) return
    try {
      await this.#actions.end(actionId, await this.#outcomeOf(computer, revisionId, samplePercent))
    } catch (err) {
      if (signal.aborted) return
      this.#log.error({ err, computer: domainOf(computer), revision: revisionId }, 'a verification failed')
      await this.#endFailed(actionId)
    }
  }

  async #outcomeOf(computer: ComputerId, revisionId: number, samplePercent: number): Promise<ActionOutcome> {
    const { signal } = this.#closing
    try {
      const { state, message } = await this.#verifications.verify(computer, revisionId, samplePercent, signal)
      return state === 'SUCCESS' ? { state, reason: '' } : { state: 'ERROR', reason: message }
    } catch (error) {
      if (!isVaultFailure(error, 'revision-missing')) throw error
      return { state: 'ERROR', reason: 'the revision was deleted before it was verified' }
    }
  }

  async #endFailed(actionId: number): Promise<void> {
    try {
      await this.#actions.end(actionId, { state: 'ERROR', reason: 'the vault could not be read' })
    } catch (err) {
      // The next start ends it.
      this.#log.error({ err, action: actionId }, 'an action could not be ended')
    }
  }
}
