import { open } from 'node:fs/promises'
import { systemCode } from '@palisade/private-files'
import { readRange } from '../direct-io/read-range.ts'

/** Tables and lists are read through the cache, runs of chunks past it. */
const directReadMinBytes = 256 * 1024
/** Past the cache Linux calls a bad sector ENODATA. */
const badPlaceCodes = ['EIO', 'ENODATA']

/**
 * Fills `into` from a file. Rejects with the system's error.
 *
 * @returns whether the file is there and long enough
 */
export async function fillFromFile(path: string, offsetBytes: number, into: Uint8Array): Promise<boolean> {
  if (into.length >= directReadMinBytes) return readRange(path, offsetBytes, into)
  const file = await open(path, 'r')
  try {
    let filled = 0
    while (filled < into.length) {
      const { bytesRead } = await file.read(into, filled, into.length - filled, offsetBytes + filled)
      if (bytesRead === 0) return false
      filled += bytesRead
    }
    return true
  } finally {
    await file.close()
  }
}

/** Whether a read failed at a bad place of the disk, or because all of the disk, or the way there, has failed. */
export function isBadPlace(error: unknown): boolean {
  return badPlaceCodes.includes(systemCode(error) ?? '')
}
