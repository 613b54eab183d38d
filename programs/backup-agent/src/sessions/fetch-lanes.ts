import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { DownloadConnection, receiveBufferSizeBytes } from '../server/download/download-connection.ts'
import type { FetchSpec } from './session.ts'
import { patchedChunkMaxBytes } from './unseal-frame.ts'

/** What one range at a time is fetched with. */
export interface Lane {
  readonly connection: DownloadConnection
  /** What the connection receives into. */
  readonly received: Buffer
  /** Room for a chunk that arrives in pieces, and may be patched. */
  readonly sealed: Buffer
}

/** The lanes of one session of a worker, each used again and again. */
export class FetchLanes {
  readonly #spec: FetchSpec
  readonly #buffers: AlignedBuffers
  readonly #closing = new AbortController()
  readonly #onClosed: () => void
  readonly #spare: Lane[] = []
  #used = 0

  /** @param onClosed is called once, when the lanes are to be closed and none is used any more */
  constructor(spec: FetchSpec, buffers: AlignedBuffers, onClosed: () => void = () => {}) {
    this.#spec = spec
    this.#buffers = buffers
    this.#onClosed = onClosed
  }

  /** Aborted when the session ends. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /** Does something with a lane that nobody else uses meanwhile. */
  async use<Result>(action: (lane: Lane) => Promise<Result>): Promise<Result> {
    this.#used++
    const lane = this.#spare.pop() ?? this.#newLane()
    try {
      return await action(lane)
    } finally {
      this.#used--
      this.#spare.push(lane)
      this.#endWhenDone()
    }
  }

  /** Ends what is under way, and gives everything back when that has ended. */
  close(): void {
    this.#closing.abort()
    this.#endWhenDone()
  }

  #endWhenDone(): void {
    if (!this.#closing.signal.aborted || this.#used > 0) return
    for (const { connection, received, sealed } of this.#spare.splice(0)) {
      connection.close()
      for (const buffer of [received, sealed]) this.#buffers.give(buffer)
    }
    this.#onClosed()
  }

  #newLane(): Lane {
    const { connection, geometry } = this.#spec
    const received = this.#buffers.take(receiveBufferSizeBytes)
    return {
      connection: new DownloadConnection(connection, received),
      received,
      sealed: this.#buffers.take(patchedChunkMaxBytes(geometry.chunkSizeBytes)),
    }
  }
}
