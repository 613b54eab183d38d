import type { ByteSource } from '../../byte-source.ts'

/** A source that counts the bytes read from it, and fails when they are more than anybody should need. */
export function boundedSource(
  source: ByteSource,
  bytesMax: number,
): { readonly source: ByteSource; readonly bytesRead: () => number } {
  let bytesRead = 0
  return {
    bytesRead: () => bytesRead,
    source: {
      sizeBytes: source.sizeBytes,
      async read(target, position) {
        bytesRead += target.byteLength
        if (bytesRead > bytesMax) throw new Error(`${bytesRead} bytes were read, of at most ${bytesMax}`)
        await source.read(target, position)
      },
    },
  }
}
