import type { ByteSource } from '../byte-source.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { structuresOf } from '../plan/structures.ts'
import { zeros } from '../zero.ts'
import { readDataPieces } from './data-pieces.ts'

/**
 * Takes the file's next bytes. The bytes must not be changed, and are used again once the promise has settled;
 * so it settles when they have been written or copied.
 */
export type DiskSink = (bytes: Uint8Array) => Promise<void> | void

/**
 * Writes a planned disk from its first byte to its last without ever going back: for network shares and
 * pipes. Nothing is left as a hole. The content is read `piecesAhead` pieces of up to 2 MiB ahead of the sink.
 *
 * Headers come before the data here, so a stream that breaks can look valid from the front: write to a
 * temporary name and rename it when the last byte has arrived.
 *
 * Rejects with the first error of content or sink, or with the signal's reason; no read is then underway.
 */
export async function streamDisk(
  plan: DiskPlan,
  content: ByteSource,
  sink: DiskSink,
  options: { readonly piecesAhead?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  let position = 0
  const put = async (offsetBytes: number, bytes: Uint8Array): Promise<void> => {
    while (position < offsetBytes) {
      const gap = zeros.subarray(0, Math.min(offsetBytes - position, zeros.byteLength))
      options.signal?.throwIfAborted()
      await sink(gap)
      position += gap.byteLength
    }
    options.signal?.throwIfAborted()
    if (bytes.byteLength > 0) await sink(bytes)
    position += bytes.byteLength
  }

  const structures = structuresOf(plan)[Symbol.iterator]()
  let structure = structures.next()
  const putStructuresBefore = async (offsetBytes: number): Promise<void> => {
    for (
      ;
      structure.done !== true && structure.value.offsetBytes < offsetBytes;
      structure = structures.next()
    ) {
      await put(structure.value.offsetBytes, structure.value.bytes)
    }
  }

  for await (const piece of readDataPieces(plan, content, options.piecesAhead ?? 2)) {
    await putStructuresBefore(piece.fileOffsetBytes)
    await put(piece.fileOffsetBytes, piece.bytes)
  }
  await putStructuresBefore(plan.fileSizeBytes)
  await put(plan.fileSizeBytes, zeros.subarray(0, 0))
}
