import { setTimeout as pause } from 'node:timers/promises'
import { type Log, newRequestId, withRequestId } from '@palisade/log'
import { type ProxySnapshot, SnapshotUnreadable } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { inTrace, traceOf } from '@palisade/tracing'
import type { ManagementLink, ReceivedSnapshot } from './management-link.ts'
import type { StateDirectory } from './state-directory.ts'

/** How long the management is left alone after it could not be reached. */
const retryMs = 500

/** How long until the management is asked again whose snapshot this release cannot read. */
const unreadableRetryMs = 10_000

interface FollowerDependencies {
  readonly state: StateDirectory
  readonly link: ManagementLink
  /** What carries the traffic. */
  readonly plane: { apply(snapshot: ProxySnapshot): Promise<void> }
  readonly log: Log
  readonly onNews: () => void
}

/** Takes snapshots from the management, and keeps the last good one. */
export class Follower {
  readonly #deps: FollowerDependencies
  /** The newest snapshot that came. */
  #last: ProxySnapshot | undefined
  /** Of the snapshot that is obeyed; see `ProxyReport`. */
  version = -1
  digest = ''
  /** Why that is not the newest one, or will not outlive the process: a sentence. */
  problem = ''

  constructor(deps: FollowerDependencies) {
    this.#deps = deps
  }

  /** Serves what was served last, when the proxy was started before. */
  async begin(): Promise<void> {
    try {
      const last = this.#deps.state.snapshot()
      if (last) await this.#take(last)
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error
      this.#tellUnreadable(error)
    }
  }

  /** Follows the management. That it is away is told once, until it is back. */
  async run(signal: AbortSignal): Promise<void> {
    const { link, log } = this.#deps
    let isAway = false
    while (!signal.aborted) {
      try {
        const received = await link.nextSnapshot(this.#last, signal)
        if (isAway) log.info('the management is back')
        isAway = false
        if (received) await this.#obey(received)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof SnapshotUnreadable) {
          this.#tellUnreadable(error)
          await pause(unreadableRetryMs, undefined, { signal }).catch(() => undefined)
          continue
        }
        if (!isAway)
          log.warn({ reason: describe(error) }, 'the management is away; the last snapshot goes on')
        isAway = true
        await pause(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  /** What is logged of a snapshot names the request that it comes of. */
  async #obey({ snapshot, origin }: ReceivedSnapshot): Promise<void> {
    await withRequestId(origin?.requestId ?? newRequestId(), () =>
      inTrace(
        'take snapshot',
        { attributes: { 'palisade.version': snapshot.version } },
        traceOf(origin),
        async () => {
          if (await this.#take(snapshot)) await this.#keep(snapshot)
        },
      ),
    )
  }

  /** What this release cannot read is told once. */
  #tellUnreadable({ message }: SnapshotUnreadable): void {
    const problem = `The newest configuration cannot be taken: ${message}.`
    if (problem === this.problem) return
    this.problem = problem
    this.#deps.log.error(
      { reason: message },
      'a snapshot cannot be read; what is carried stays as it is until another one comes',
    )
    this.#deps.onNews()
  }

  /** @returns whether it is obeyed now */
  async #take(snapshot: ProxySnapshot): Promise<boolean> {
    const { plane, log, onNews } = this.#deps
    const { version, digest, services } = snapshot
    // Even one that cannot be taken is not asked for again.
    this.#last = snapshot
    try {
      await plane.apply(snapshot)
      this.version = version
      this.digest = digest
      this.problem = ''
      log.info({ version, services: services.length }, 'a snapshot was taken')
      return true
    } catch (error) {
      this.problem = `The newest configuration cannot be taken: ${describe(error)}.`
      log.error({ err: error, version }, 'a snapshot cannot be taken; the one before goes on')
      return false
    } finally {
      onNews()
    }
  }

  async #keep(snapshot: ProxySnapshot): Promise<void> {
    const { state, log, onNews } = this.#deps
    try {
      await state.keep(snapshot)
    } catch (error) {
      this.problem = `The newest configuration is obeyed, but cannot be kept for a restart: ${describe(error)}.`
      log.error({ err: error, version: snapshot.version }, 'a snapshot cannot be kept')
      onNews()
    }
  }
}
