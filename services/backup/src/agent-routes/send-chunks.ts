import type { ServerResponse } from 'node:http'
import {
  downloadHeader,
  downloadHeaderSizeBytes,
  patchedHeader,
  patchedHeaderSizeBytes,
} from '@palisade/agent-protocol'
import type { PatchedPortion, RevisionReader, Run } from '@palisade/vault'
import type { BufferPool } from './buffer-pool.ts'

/** The client went away before it had everything. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

/** Chunks of which the first run has been read, and that can be sent. */
export interface ChunksToSend {
  /** What {@link send} will send. */
  readonly sizeBytes: number

  /**
   * Streams all of them as frames. A run of a pack is read with one call and sent with one; while one is on its way to
   * the client, the next ones are being read, and no more than {@link loadsAtOnceMax} are in memory.
   *
   * When the client goes away, or the vault fails, the connection is to be cut: the length that was announced tells the client
   * that something is missing.
   *
   * @param onSent called whenever the client has taken something
   * @throws ClientDisconnected, or what reading fails with
   */
  send(response: ServerResponse, onSent: () => void): Promise<void>
}

/** A storage that answers late is asked for so many loads at a time. */
const loadsAtOnceMax = 3

/** What is read at once, and then sent. */
interface Load {
  /** What {@link read} needs room for. */
  readonly neededBytes: number
  /** Of the frames. */
  readonly sizeBytes: number
  /** Reads it, and gives the frames: headers, and views of the memory between them. */
  read(into: Uint8Array): Promise<Uint8Array[]>
}

/**
 * Begins to read chunks that are asked for. What fails already here can still be told to the client, who asks again from the chunk
 * on that did not come.
 *
 * @param range positions in the revision
 * @param loadMaxBytes about how much is read at once
 * @param buffers get those back that are no longer being sent; after a failure they belong to the connection
 * @throws what reading fails with
 */
export async function beginChunks(
  reader: RevisionReader,
  { from, to }: { readonly from: number; readonly to: number },
  loadMaxBytes: number,
  buffers: BufferPool,
): Promise<ChunksToSend> {
  const loads = [
    ...reader.runs(reader.content.plainIn(from, to), loadMaxBytes).map((run) => loadOfRun(reader, run)),
    ...reader.patchedPortions(from, to, loadMaxBytes).map((portion) => loadOfPortion(reader, portion)),
  ]
  const neededBytes = loads.reduce((most, load) => Math.max(most, load.neededBytes), 0)
  const reading = loads.slice(0, loadsAtOnceMax).map((load) => beginReading(load, buffers.take(neededBytes)))
  await reading[0]?.frames
  return {
    sizeBytes: loads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    async send(response, onSent) {
      const waiting = loads.values().drop(reading.length)
      for (let current = reading.shift(); current !== undefined; current = reading.shift()) {
        await write(response, await current.frames)
        onSent()
        const { value: next } = waiting.next()
        if (next === undefined) buffers.give(current.memory)
        else reading.push(beginReading(next, current.memory))
      }
    },
  }
}

/** A load on its way into memory. */
interface Reading {
  readonly memory: Buffer
  readonly frames: Promise<Uint8Array[]>
}

/** Whoever waits for the frames hears of a failure; nobody may, when an earlier one ends the reply. */
function beginReading(load: Load, memory: Buffer): Reading {
  const frames = load.read(memory)
  frames.catch(() => undefined)
  return { memory, frames }
}

function loadOfRun(reader: RevisionReader, run: Run): Load {
  return {
    neededBytes: run.lengthBytes,
    sizeBytes: sealedBytes([run]) + run.chunks.length * downloadHeaderSizeBytes,
    async read(into) {
      const bytes = await reader.read(run, into)
      return run.chunks.flatMap(({ position, offset, lengthBytes }) => [
        downloadHeader(position, reader.chunks.id(position), lengthBytes),
        bytes.subarray(offset, offset + lengthBytes),
      ])
    },
  }
}

function loadOfPortion(reader: RevisionReader, portion: PatchedPortion): Load {
  const headersBytes = downloadHeaderSizeBytes + patchedHeaderSizeBytes
  return {
    neededBytes: portion.sizeBytes,
    sizeBytes: sealedBytes(portion.runs) + portion.chunks.length * headersBytes,
    async read(into) {
      const chunks = await reader.readPatched(portion, into)
      return chunks.flatMap(({ position, name, base, patch }) => [
        downloadHeader(position, name, patchedHeaderSizeBytes + base.sealed.length + patch.sealed.length),
        patchedHeader(base.id, patch.id, base.sealed.length),
        base.sealed,
        patch.sealed,
      ])
    },
  }
}

function sealedBytes(runs: readonly Run[]): number {
  return runs.reduce(
    (sum, { chunks }) => chunks.reduce((ofRun, { lengthBytes }) => ofRun + lengthBytes, sum),
    0,
  )
}

/** Resolves when the pieces are with the system and their buffer can be used again. */
function write(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = (cause?: Error) => reject(new ClientDisconnected('the client went away', { cause }))
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
