import { randomGuid } from '../guid.ts'
import { decodeHeader, encodeHeader } from '../vhdx/header.ts'
import { HEADER_OFFSETS, HEADER_SIZE_BYTES, LOG_OFFSET, LOG_SIZE_BYTES } from '../vhdx/layout.ts'

/** The log region of a VHDX of ours, to be written to. */
export function logRing(file: Buffer): Buffer {
  return file.subarray(LOG_OFFSET, LOG_OFFSET + LOG_SIZE_BYTES)
}

/** Makes the second header, with a number above the first's, say that the file was not closed and that its log has this id. */
export function markDirty(file: Buffer, logId: string): void {
  const [first, second] = HEADER_OFFSETS.map((offset) => {
    return decodeHeader(file.subarray(offset, offset + HEADER_SIZE_BYTES), offset)
  })
  if (first === undefined || second === undefined) throw new Error('a VHDX has two headers')
  const sequence = first.sequence + second.sequence + 1n
  file.set(encodeHeader({ ...second, sequence, logId, fileWriteId: randomGuid() }), HEADER_OFFSETS[1])
}
