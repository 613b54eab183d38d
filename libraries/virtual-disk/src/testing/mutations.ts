import { type ByteSource, readBytes } from '../byte-source.ts'
import { overlaySource } from '../overlay-source.ts'

/** The source with one bit the other way round. */
export async function withFlippedBit(
  source: ByteSource,
  offsetBytes: number,
  bit: number,
): Promise<ByteSource> {
  const byte = await readBytes(source, offsetBytes, 1)
  byte.writeUInt8(byte.readUInt8(0) ^ (1 << bit), 0)
  return overlaySource(source, [{ offsetBytes, sizeBytes: 1, bytes: byte }], 0)
}
