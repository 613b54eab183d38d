import { type FileHandle, statfs } from 'node:fs/promises'
import { type DiskPlan, type Extent, placesOf } from '@palisade/virtual-disk'
import { fileSystems } from '../system-calls/file-system-types.ts'
import { linuxFileCalls } from '../system-calls/linux-files.ts'

/** The bitmap in front of a block is no reason for another call. */
const gapMaxBytes = 64 * 1024
/** Other work of the thread gets its turn in between; the system takes well below a millisecond for so much. */
const stepMaxBytes = 256 * 1024 * 1024

/**
 * Allocates the parts of a disk's file that data will be written to, before or while it is written. On ext4 a direct write that has
 * to allocate blocks all other writes and all reads of the file; into allocated blocks they run side by side. A write through the cache
 * gains little, but a full disk says so early. Best effort: where the system cannot allocate, writes do it as ever.
 *
 * @param extents of the virtual disk, in order
 * @param signal ends it early
 */
export async function makeRoom(
  { fd }: FileHandle,
  path: string,
  plan: DiskPlan,
  extents: Iterable<Extent>,
  signal: AbortSignal,
): Promise<void> {
  if (process.platform !== 'linux' || (await statfs(path)).type !== fileSystems.ext) return
  const calls = await linuxFileCalls()
  if (calls === undefined) return
  for (const { offsetBytes, sizeBytes } of inFile(plan, extents)) {
    if (signal.aborted || calls.allocate(fd, offsetBytes, sizeBytes) !== undefined) return
    await new Promise(setImmediate)
  }
}

/** Where extents of a disk are in its file, those that nearly touch as one. */
function* inFile(plan: DiskPlan, extents: Iterable<Extent>): Generator<Extent> {
  let open: { readonly from: number; end: number } | undefined
  for (const extent of extents) {
    for (const { fileOffsetBytes: from, sizeBytes } of placesOf(plan, extent)) {
      if (from === undefined) continue
      const end = from + sizeBytes
      if (open !== undefined && from - open.end <= gapMaxBytes && end - open.from <= stepMaxBytes) {
        open.end = end
        continue
      }
      if (open !== undefined) yield { offsetBytes: open.from, sizeBytes: open.end - open.from }
      open = { from, end }
    }
  }
  if (open !== undefined) yield { offsetBytes: open.from, sizeBytes: open.end - open.from }
}
