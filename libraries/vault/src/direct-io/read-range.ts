import { alignmentBytes } from './aligned-memory.ts'
import { DirectFile } from './direct-file.ts'

/**
 * Reads a stretch of a file: its whole pages past the system's cache where the memory allows it (`viewFor`), the ends through
 * it. Rejects with the system's error.
 *
 * @returns whether the file was long enough to fill `into`
 */
export async function readRange(path: string, position: number, into: Uint8Array): Promise<boolean> {
  const headBytes = Math.min(into.length, (alignmentBytes - (position % alignmentBytes)) % alignmentBytes)
  const tailAt = into.length - ((into.length - headBytes) % alignmentBytes)
  const file = await DirectFile.open(path, 'read')
  try {
    for (const [from, to] of [
      [0, headBytes],
      [headBytes, tailAt],
      [tailAt, into.length],
    ] as const) {
      if ((await file.read(into.subarray(from, to), position + from)) < to - from) return false
    }
    return true
  } finally {
    await file.close()
  }
}
