import { sealOverheadBytes } from '@palisade/vault'
import { BufferPool } from './buffer-pool.ts'

/** An upload may be long, since none of it is kept in memory; this is where it can only be a mistake. */
export const uploadSizeMaxBytes = 1024 ** 3
/** An agent sends from 16 threads, with two jobs each; what a lost connection left behind may be open for a while. */
export const openUploadsMax = 64
/** Buffers for chunks that are kept between uploads. */
const spareBuffersMax = 16

/** Buffers for the chunks of a vault, in memory that the threads which open chunks look at where it is. */
export function chunkBuffers(chunkSizeBytes: number): BufferPool {
  return new BufferPool(chunkSizeBytes + sealOverheadBytes, spareBuffersMax, (sizeBytes) =>
    Buffer.from(new SharedArrayBuffer(sizeBytes)),
  )
}
