/**
 * Where a file holds data; everything else of it is holes, which read as zeros. Told by lseek(2) with SEEK_DATA and SEEK_HOLE.
 *
 * A hole that is none would lose data, so only file systems are asked whose answer is made from what they and the system's cache know
 * together; ZFS for one has told holes where data was on its way to the disk (openzfs issue 15526).
 */
import { type FileHandle, open, stat, statfs } from 'node:fs/promises'
import type { Extent } from '@palisade/virtual-disk'
import type { Extents } from '../chunks/extents.ts'
import { fileSystems } from './file-system-types.ts'
import { type LinuxFileCalls, linuxFileCalls } from './linux-files.ts'

/** As Linux numbers them (lseek(2)). */
const seekData = 3
const seekHole = 4
/** ENXIO: there is no data from there on. */
const nothingThere = 6

const believed: ReadonlySet<number> = new Set(Object.values(fileSystems))

/** A file whose regions can be asked for until it is closed. */
export interface DataRegions {
  /** The parts of the file's range that hold data, counted from the beginning of the range. */
  readonly extents: Extents
  close(): Promise<void>
}

/**
 * @param range of the file, within it
 * @returns undefined when nothing is known of holes: all of the range may be data. So for block devices
 */
export async function findDataRegions(path: string, range: Extent): Promise<DataRegions | undefined> {
  const calls = (await isAnswerBelieved(path)) ? await linuxFileCalls() : undefined
  if (calls === undefined) return undefined
  const file = await open(path, 'r')
  return { extents: () => regionsIn(file, range, calls), close: () => file.close() }
}

async function isAnswerBelieved(path: string): Promise<boolean> {
  if (process.platform !== 'linux' || !(await stat(path)).isFile()) return false
  return believed.has((await statfs(path)).type)
}

async function* regionsIn(
  file: FileHandle,
  { offsetBytes, sizeBytes }: Extent,
  calls: LinuxFileCalls,
): AsyncGenerator<Extent> {
  const end = offsetBytes + sizeBytes
  let at = offsetBytes
  while (at < end) {
    const from = calls.seek(file.fd, at, seekData)
    if (typeof from !== 'number') {
      // Of a file that was cut meanwhile the same is said: then reading the rest shows that it is gone.
      const isHole = from.errno === nothingThere && (await file.stat()).size >= end
      if (!isHole) yield { offsetBytes: at - offsetBytes, sizeBytes: end - at }
      return
    }
    if (from >= end) return
    const hole = calls.seek(file.fd, from, seekHole)
    // A place behind is the only one that lets this go on; of everything else the rest counts as data.
    const to = typeof hole === 'number' && hole > from ? Math.min(hole, end) : end
    yield { offsetBytes: from - offsetBytes, sizeBytes: to - from }
    at = to
  }
}
