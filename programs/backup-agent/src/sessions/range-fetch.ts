import { agentPaths, type ChunkFrame, FrameError, taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import type { ChunkRange } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { FrameCutter } from '../server/download/frame-cutter.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import type { Lane } from './fetch-lanes.ts'
import { RangeReceipt } from './range-receipt.ts'
import type { FetchSpec } from './session.ts'

/** Where the chunks of a range go. */
export interface ChunkSink {
  /** Opens and stores a chunk; throws a TaskFailure DataDamaged when it does not open. */
  take(frame: ChunkFrame): void
  /** When the next chunk should come; undefined for at once. */
  whenReady(): Promise<void> | undefined
}

/** A server that is there, but breaks off its reply before the same chunk so often, cannot read that chunk. */
const brokenRepliesMax = 5

/**
 * Fetches one range, however often it is interrupted: chunks that have arrived are not asked for again.
 *
 * - The server cannot be reached: retried, then ServerUnreachable.
 * - A chunk does not open: once more, since it may have been damaged on its way; then DataDamaged.
 * - The server breaks off before the same chunk again and again, or says that the revision is damaged: DataDamaged.
 */
export class RangeFetch {
  readonly #spec: FetchSpec
  readonly #lane: Lane
  readonly #sink: ChunkSink
  readonly #receipt: RangeReceipt
  #brokenReplies = 0

  constructor(spec: FetchSpec, range: ChunkRange, lane: Lane, sink: ChunkSink) {
    this.#spec = spec
    this.#lane = lane
    this.#sink = sink
    this.#receipt = new RangeReceipt(range, spec.presence)
  }

  /** Resolves when the sink has taken all stored chunks of the range. */
  async run(signal: AbortSignal): Promise<void> {
    const { retryPolicy, connection } = this.#spec
    let mayBeDamaged = true
    while (this.#receipt.firstMissingRun() !== undefined) {
      try {
        await retryRequest(() => this.#attempt(signal), {
          signal,
          retryPolicy,
          addresses: connection.addresses,
          expectedStatuses: [409],
        })
      } catch (error) {
        if (isRefusedWith(error, 409)) throw this.#damaged(describe(error))
        if (!mayBeDamaged || !isDataDamaged(error)) throw error
        mayBeDamaged = false
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const run = this.#receipt.firstMissingRun()
    if (run === undefined) return
    try {
      await this.#download(run, signal)
      this.#brokenReplies = 0
    } catch (error) {
      if (!(error instanceof ReplyBroken)) throw error
      this.#brokenReplies = this.#receipt.isMissing(run.from) ? this.#brokenReplies + 1 : 0
      if (this.#brokenReplies >= brokenRepliesMax) throw this.#damaged(describe(error))
      throw error
    }
  }

  async #download({ from, to }: ChunkRange, signal: AbortSignal): Promise<void> {
    const { restoreId, revisionId, firstChunk } = this.#spec
    const { connection, sealed } = this.#lane
    const cutter = new FrameCutter(sealed, (frame) => this.#take(frame))
    const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${firstChunk + from}&to=${firstChunk + to}`
    try {
      const onBody = (bytes: Buffer) => {
        cutter.push(bytes)
        return this.#sink.whenReady()
      }
      await connection.get(path, onBody, signal)
      cutter.end()
    } catch (error) {
      if (error instanceof FrameError) throw new ReplyBroken(error.message, { cause: error })
      throw error
    }
    if (this.#receipt.isMissing(from)) throw new ReplyBroken('the server left out chunks that it has')
  }

  #take(received: ChunkFrame): void {
    const index = received.index - this.#spec.firstChunk
    if (!this.#receipt.isMissing(index)) {
      throw new ReplyBroken('the server sent a chunk that was not asked for')
    }
    this.#sink.take({ ...received, index })
    this.#receipt.take(index)
  }

  #damaged(why: string): TaskFailure {
    const { revisionId } = this.#spec
    return new TaskFailure(taskFailures.dataDamaged, `revision ${revisionId} cannot be read: ${why}`)
  }
}

function isDataDamaged(error: unknown): boolean {
  return error instanceof TaskFailure && error.code === taskFailures.dataDamaged
}
