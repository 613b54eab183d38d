import { crc32 } from 'node:zlib'
import { ENTRIES_SIZE_BYTES, HEADER_SIZE_BYTES, headerChecksum, headerField } from '../partitions/gpt.ts'

/** Makes the header's own checksum right again. */
export function sealGptHeader(header: Buffer): void {
  header.writeUInt32LE(headerChecksum(header, HEADER_SIZE_BYTES), headerField.headerCrc)
}

/** Makes both checksums of a header right again, given its 16 KiB of entries. */
export function sealGpt(header: Buffer, entries: Buffer): void {
  header.writeUInt32LE(crc32(entries.subarray(0, ENTRIES_SIZE_BYTES)), headerField.entriesCrc)
  sealGptHeader(header)
}
