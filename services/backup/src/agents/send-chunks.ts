import type { ServerResponse } from 'node:http'
import { downloadHeader, downloadHeaderSizeBytes } from '@palisade/agent-protocol'
import type { ChunkReader, Run } from '@palisade/vault'
import type { BufferPool } from './buffer-pool.ts'

/** The client went away before it had everything. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Chunks of which the first run has been read, and that can be sent. */
export interface ChunksToSend {
  /** What {@link send} will send. */
  readonly sizeBytes: number

  /**
   * Streams all of them as frames. A run of a pack is read with one call and sent with one; while one is on its way to
   * the client, the next is being read, and no more than these two are in memory.
   *
   * When the client goes away, or the vault fails, the connection is to be cut: the length that was announced tells the client
   * that something is missing.
   *
   * @throws ClientGone, or what reading fails with
   */
  send(response: ServerResponse): Promise<void>
}

/**
 * Begins to read chunks that are asked for. What fails already here can still be told to the client, who asks again from the chunk
 * on that did not come.
 *
 * @param runs as `reader.runs` has planned them
 * @param buffers get those back that are no longer being sent; after a failure they belong to the connection
 * @throws what reading fails with
 */
export async function beginChunks(
  reader: ChunkReader,
  runs: readonly Run[],
  buffers: BufferPool,
): Promise<ChunksToSend> {
  const neededBytes = runs.reduce((most, { lengthBytes }) => Math.max(most, lengthBytes), 0)
  const [even, odd] = [buffers.take(neededBytes), buffers.take(neededBytes)]
  const read = async (turn: number) => {
    const run = runs[turn]
    return run && framesOf(run, await reader.read(run, turn % 2 === 0 ? even : odd), reader)
  }
  const first = await read(0)
  return {
    sizeBytes: framesSizeBytes(runs),
    async send(response) {
      let sent = Promise.resolve()
      let frames = first
      for (let next = 1; frames !== undefined; next++) {
        await sent
        sent = write(response, frames)
        // It is awaited in the next turn; until then nobody else looks at it.
        sent.catch(() => undefined)
        frames = await read(next)
      }
      await sent
      buffers.give(even)
      buffers.give(odd)
    },
  }
}

function framesSizeBytes(runs: readonly Run[]): number {
  let sizeBytes = 0
  for (const { chunks } of runs) {
    for (const { lengthBytes } of chunks) sizeBytes += downloadHeaderSizeBytes + lengthBytes
  }
  return sizeBytes
}

function framesOf({ chunks }: Run, bytes: Uint8Array, reader: ChunkReader): Uint8Array[] {
  return chunks.flatMap(({ position, offset, lengthBytes }) => [
    downloadHeader(position, reader.chunks.id(position), lengthBytes),
    bytes.subarray(offset, offset + lengthBytes),
  ])
}

/** Resolves when the pieces are with the system and their buffer can be used again. */
function write(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = (cause?: Error) => reject(new ClientGone('the client went away', { cause }))
    if (response.destroyed) return closed()
    response.once('close', closed)
    response.cork()
    for (const [index, piece] of pieces.entries()) {
      if (index < pieces.length - 1) response.write(piece)
      else
        response.write(piece, (error) => {
          response.off('close', closed)
          if (error) closed(error)
          else resolve()
        })
    }
    response.uncork()
  })
}
