import { agentPaths, type ChunkFrame, FrameError, idSizeBytes, taskFailures } from '@palisade/agent-protocol'
import type { ChunkRange } from '../chunk-range.ts'
import { describe, TaskFailure } from '../failure.ts'
import type { DownloadConnection } from '../server/download/download-connection.ts'
import { FrameCutter } from '../server/download/frame-cutter.ts'
import { persist } from '../server/persist.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import type { WriteSpec } from '../workers/messages.ts'
import { RangeReceipt } from './range-receipt.ts'

/** What one range at a time is fetched with. */
export interface Lane {
  readonly connection: DownloadConnection
  /** What the connection receives into. */
  readonly received: Buffer
  /** Room for a chunk that arrives in pieces. */
  readonly sealed: Buffer
}

/** A server that is there, but breaks off its reply before the same chunk so often, cannot read that chunk. */
const brokenRepliesMax = 5

/**
 * Fetches one range, however often it is interrupted: chunks that have arrived are not asked for again.
 *
 * - The server cannot be reached: patience, then ServerUnreachable.
 * - A chunk does not open: once more, since it may have been damaged on its way; then DataDamaged.
 * - The server breaks off before the same chunk again and again, or says that the revision is damaged: DataDamaged.
 */
export class RangeFetch {
  readonly #spec: WriteSpec
  readonly #range: ChunkRange
  readonly #lane: Lane
  readonly #takeChunk: (frame: ChunkFrame) => void
  readonly #receipt: RangeReceipt
  readonly #ids: Buffer
  #brokenReplies = 0

  /** @param takeChunk opens and stores a chunk; throws a TaskFailure DataDamaged when it does not open */
  constructor(spec: WriteSpec, range: ChunkRange, lane: Lane, takeChunk: (frame: ChunkFrame) => void) {
    this.#spec = spec
    this.#range = range
    this.#lane = lane
    this.#takeChunk = takeChunk
    this.#receipt = new RangeReceipt(range, spec.presence)
    this.#ids = Buffer.alloc((range.to - range.from) * idSizeBytes)
  }

  /** @returns the ids of the range's chunks, zeros where none is stored */
  async run(signal: AbortSignal): Promise<Uint8Array> {
    const { patience } = this.#spec
    let mayBeDamaged = true
    while (this.#receipt.firstMissingRun() !== undefined) {
      try {
        await persist(() => this.#attempt(signal), { signal, patience, meant: [409] })
      } catch (error) {
        if (isRefusedWith(error, 409)) throw this.#damaged(describe(error))
        if (!mayBeDamaged || !isDataDamaged(error)) throw error
        mayBeDamaged = false
      }
    }
    return this.#ids
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
    const { restoreId, revisionId } = this.#spec
    const { connection, sealed } = this.#lane
    const cutter = new FrameCutter(sealed, (frame) => this.#take(frame))
    const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${from}&to=${to}`
    try {
      await connection.get(path, (bytes) => cutter.push(bytes), signal)
      cutter.end()
    } catch (error) {
      if (error instanceof FrameError) throw new ReplyBroken(error.message, { cause: error })
      throw error
    }
    if (this.#receipt.isMissing(from)) throw new ReplyBroken('the server left out chunks that it has')
  }

  #take(frame: ChunkFrame): void {
    const { index, id } = frame
    if (!this.#receipt.isMissing(index)) {
      throw new ReplyBroken('the server sent a chunk that was not asked for')
    }
    this.#takeChunk(frame)
    this.#receipt.take(index)
    this.#ids.set(id, (index - this.#range.from) * idSizeBytes)
  }

  #damaged(why: string): TaskFailure {
    const { revisionId } = this.#spec
    return new TaskFailure(taskFailures.dataDamaged, `revision ${revisionId} cannot be read: ${why}`)
  }
}

function isDataDamaged(error: unknown): boolean {
  return error instanceof TaskFailure && error.code === taskFailures.dataDamaged
}
