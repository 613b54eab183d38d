import { isSet, taskFailures } from '@palisade/agent-protocol'
import { isAllZero, nameChunk } from '@palisade/vault'
import { type ChunkRange, idAt } from '../chunk-range.ts'
import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import { describe, systemCode, TaskFailure } from '../failure.ts'
import type { WriteSpec } from '../workers/messages.ts'
import { FileEndsEarly, type VolumeFile } from './volume-file.ts'

/** While one chunk is compared, so many others are being read. */
const readsAhead = 2

/**
 * Reads a range of chunks back from the disk, names them again and compares the names; chunks that are not stored
 * must be zeros. Those for which the file has no room are not read: the layout of the disk is checked at the end.
 *
 * @throws TaskFailure VerificationFailed
 */
export async function readBack(
  volume: VolumeFile,
  range: ChunkRange,
  ids: Uint8Array,
  spec: WriteSpec,
  buffers: AlignedBuffers,
): Promise<void> {
  let next = range.from
  const readers = Array.from({ length: 1 + readsAhead }, async () => {
    const buffer = buffers.take(volume.bufferSizeBytes)
    try {
      while (next < range.to) {
        const index = next++
        if (volume.hasPlace(index)) await compare(volume, index, idAt(ids, index - range.from), spec, buffer)
      }
    } catch (error) {
      next = range.to
      const isOfTheDisk = error instanceof FileEndsEarly || systemCode(error) !== undefined
      throw isOfTheDisk ? failure(spec, describe(error)) : error
    } finally {
      buffers.give(buffer)
    }
  })
  for (const result of await Promise.allSettled(readers)) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function compare(
  volume: VolumeFile,
  index: number,
  id: Uint8Array,
  spec: WriteSpec,
  buffer: Buffer,
): Promise<void> {
  const { presence, keys, bytesDone } = spec
  const chunk = await volume.read(index, buffer)
  const isStored = isSet(presence, index)
  const isRight = isStored ? nameChunk(chunk, keys.naming).equals(id) : isAllZero(chunk)
  if (!isRight) throw failure(spec, `chunk ${index} does not read back as it was written`)
  if (isStored) Atomics.add(bytesDone, 0, BigInt(chunk.length))
}

function failure({ diskPath }: WriteSpec, why: string): TaskFailure {
  return new TaskFailure(taskFailures.verificationFailed, `${diskPath} is not right: ${why}`)
}
