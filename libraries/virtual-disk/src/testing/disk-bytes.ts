import { open } from 'node:fs/promises'
import type { Region } from '../extent.ts'

/** A whole disk in memory, made of regions and zeros. For small disks. */
export function diskBytes(sizeBytes: number, regions: Iterable<Region>): Buffer {
  const disk = Buffer.alloc(sizeBytes)
  for (const { offsetBytes, bytes } of regions) disk.set(bytes, offsetBytes)
  return disk
}

/** The same as a sparse file. */
export async function writeSparse(path: string, sizeBytes: number, regions: Iterable<Region>): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await handle.truncate(sizeBytes)
    for (const { offsetBytes, bytes } of regions) await handle.write(bytes, 0, bytes.byteLength, offsetBytes)
  } finally {
    await handle.close()
  }
}
