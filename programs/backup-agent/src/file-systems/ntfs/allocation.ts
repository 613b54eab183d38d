/**
 * What an NTFS has in use: a bit per cluster in the data of record 6, $Bitmap. Its last sector, a copy of the boot
 * sector, lies behind the last cluster and is in no bitmap.
 */
import { type ByteSource, type Extent, readBytes } from '@palisade/virtual-disk'
import { type Allocation, usableExtents } from '../allocation.ts'
import { bitRuns } from '../bit-runs.ts'
import { attributeTypes, type ClusterRun } from './record.ts'
import { whyNotClosed } from './state.ts'
import { NtfsVolume } from './volume.ts'

const bitmapRecord = 6
/** A multiple of every size a cluster can have. */
const pieceSizeBytes = 2 * 1024 * 1024

/** The clusters in use, or why they cannot be told; undefined when this is no NTFS. */
export async function readNtfsAllocation(volume: ByteSource): Promise<Allocation | undefined> {
  const ntfs = await NtfsVolume.open(volume)
  if (ntfs === undefined) return undefined
  const why = await whyNotClosed(ntfs)
  if (why !== undefined) return { kind: 'whole', why }
  const parts = await bitmapParts(ntfs, volume.sizeBytes)
  if (parts === undefined) return { kind: 'whole', why: 'the bitmap of its NTFS cannot be found' }
  return { kind: 'extents', extents: () => usableExtents(usedExtents(volume, ntfs, parts), volume.sizeBytes) }
}

/** Where the bitmap lies, in its order; undefined unless all of it is there and covers the volume. */
export async function bitmapParts(
  ntfs: NtfsVolume,
  volumeSizeBytes: number,
): Promise<readonly Extent[] | undefined> {
  const { clusterCount, clusterSizeBytes, sizeBytes } = ntfs.geometry
  const stream = await ntfs.stream(bitmapRecord, attributeTypes.data)
  if (stream?.kind !== 'runs' || sizeBytes > volumeSizeBytes) return undefined
  const parts = stream.runs.map((run) => extentOf(run, clusterSizeBytes))
  const neededSizeBytes = Math.ceil(clusterCount / 8)
  const partsSizeBytes = parts.reduce((sum, part) => sum + (part?.sizeBytes ?? 0), 0)
  if (stream.sizeBytes < neededSizeBytes || partsSizeBytes < neededSizeBytes) return undefined
  const isWithin = (part: Extent | undefined): part is Extent =>
    part !== undefined && part.offsetBytes + part.sizeBytes <= sizeBytes
  return parts.every(isWithin) ? parts : undefined
}

/** Undefined for a hole, which a bitmap has not. */
function extentOf({ cluster, count }: ClusterRun, clusterSizeBytes: number): Extent | undefined {
  if (cluster === undefined) return undefined
  return { offsetBytes: cluster * clusterSizeBytes, sizeBytes: count * clusterSizeBytes }
}

async function* usedExtents(
  volume: ByteSource,
  ntfs: NtfsVolume,
  parts: readonly Extent[],
): AsyncGenerator<Extent> {
  const { clusterCount, clusterSizeBytes } = ntfs.geometry
  let firstCluster = 0
  for (const { offsetBytes, sizeBytes } of parts) {
    for (let at = 0; at < sizeBytes && firstCluster < clusterCount; at += pieceSizeBytes) {
      const bitmap = await readBytes(volume, offsetBytes + at, Math.min(pieceSizeBytes, sizeBytes - at))
      const bitCount = Math.min(bitmap.length * 8, clusterCount - firstCluster)
      for (const { first, count } of bitRuns(bitmap, bitCount)) {
        yield {
          offsetBytes: (firstCluster + first) * clusterSizeBytes,
          sizeBytes: count * clusterSizeBytes,
        }
      }
      firstCluster += bitCount
    }
  }
  const endBytes = clusterCount * clusterSizeBytes
  yield { offsetBytes: endBytes, sizeBytes: volume.sizeBytes - endBytes }
}
