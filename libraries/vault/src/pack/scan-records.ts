import { chunkIdBytes } from '../chunk/chunk-id.ts'
import { sealedSizeMinBytes } from '../chunk/sealed-chunk.ts'
import { readUnlessDamaged, type StorageBackend } from '../storage/backend.ts'
import { packHeaderBytes, recordHeaderBytes } from './pack-format.ts'

/** A chunk as the header of its record describes it, which may be damaged. */
export interface RecordedChunk {
  readonly id: Buffer
  /** Of the sealed chunk, from the start of the pack. */
  readonly offset: number
  readonly lengthBytes: number
}

/** Follows the records of a pack whose table is lost, as far as they can be read and their lengths lead. */
export async function scanRecords(
  backend: StorageBackend,
  name: string,
  sealedMaxBytes: number,
): Promise<RecordedChunk[]> {
  const sizeBytes = (await backend.sizeBytes(name)) ?? 0
  const chunks: RecordedChunk[] = []
  for (let offset = packHeaderBytes + recordHeaderBytes; offset < sizeBytes; ) {
    const header = await readUnlessDamaged(backend, name, offset - recordHeaderBytes, recordHeaderBytes)
    if (!header) break
    const lengthBytes = header.readUInt32LE(chunkIdBytes)
    const plausible = lengthBytes >= sealedSizeMinBytes && lengthBytes <= sealedMaxBytes
    if (!plausible || offset + lengthBytes > sizeBytes) break
    chunks.push({ id: Buffer.from(header.subarray(0, chunkIdBytes)), offset, lengthBytes })
    offset += lengthBytes + recordHeaderBytes
  }
  return chunks
}
