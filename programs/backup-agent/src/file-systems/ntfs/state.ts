/**
 * Whether an NTFS was closed properly. Its volume record says when it was not; and Windows, while it has the volume
 * open or when it lost power, leaves a log that is still to be replayed.
 *
 *     $VOLUME_INFORMATION  10 flags u16 (1: dirty)
 *     $LogFile, two pages  0 "RSTR" (all FF in an emptied log)   16 page size u32   24 offset of the restart area u16
 *       restart area       0 sequence number u64   12 first client in use u16 (FFFF: none)   14 flags u16 (2: closed properly)
 */
import { attributeTypes } from './record.ts'
import type { NtfsVolume } from './volume.ts'

const logRecord = 2
const volumeRecord = 3
const isDirty = 1
const noClient = 0xffff
const isClosed = 2
const restartPageSizesBytes = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const restartPagesSizeBytes = 128 * 1024

/**
 * Why what is on the disk may not be all that was written; undefined when it is.
 *
 * @throws DiskFailure when the structures lie beyond the volume's end
 */
export async function whyNotClosed(ntfs: NtfsVolume): Promise<string | undefined> {
  const information = await ntfs.stream(volumeRecord, attributeTypes.volumeInformation)
  if (information?.kind !== 'resident' || information.bytes.length < 12)
    return 'its NTFS does not say how it was closed'
  if ((information.bytes.readUInt16LE(10) & isDirty) !== 0) return 'its NTFS is marked as not closed'
  const log = await ntfs.stream(logRecord, attributeTypes.data)
  if (log === undefined) return 'its NTFS has no log'
  return isLogClosed(await ntfs.read(log, restartPagesSizeBytes))
    ? undefined
    : 'the log of its NTFS is still to be replayed (is it in use, or hibernated?)'
}

function isLogClosed(log: Buffer): boolean {
  if (log.every((byte) => byte === 0xff)) return true
  const pageSizeBytes = log.length >= 32 ? log.readUInt32LE(16) : 0
  if (!restartPageSizesBytes.includes(pageSizeBytes)) return false
  const areas = [0, pageSizeBytes].flatMap((at) => restartArea(log.subarray(at, at + pageSizeBytes)) ?? [])
  // The pages take turns; the newer one counts.
  const newest = areas.toSorted((a, b) => Number(b.readBigUInt64LE(0) - a.readBigUInt64LE(0)))[0]
  if (newest === undefined) return false
  return newest.readUInt16LE(12) === noClient || (newest.readUInt16LE(14) & isClosed) !== 0
}

function restartArea(page: Buffer): Buffer | undefined {
  if (page.length < 64 || page.toString('latin1', 0, 4) !== 'RSTR') return undefined
  const area = page.readUInt16LE(24)
  return area + 16 <= page.length ? page.subarray(area) : undefined
}
