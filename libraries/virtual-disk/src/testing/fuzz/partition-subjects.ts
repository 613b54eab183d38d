import { DISK_SIZE_BYTES, diskWith, gptTable, mbrTable } from '../partition-tables.ts'
import { sealGptHeader } from '../seal-gpt.ts'
import { type Subject, sliceSubject } from './subject.ts'

function gptSubject(sectorSizeBytes: 512 | 4096): Subject {
  const partitions = gptTable.partitions.slice(0, 2)
  const file = diskWith({ ...gptTable, sectorSizeBytes, partitions })
  const end = DISK_SIZE_BYTES - sectorSizeBytes
  return sliceSubject(`a GPT of sectors of ${sectorSizeBytes} bytes`, file, [
    [0, 512, 512],
    [sectorSizeBytes, 512, 96, sealGptHeader],
    [2 * sectorSizeBytes, 16_384, 256],
    [end - 16_384, 16_384, 256],
    [end, 512, 96, sealGptHeader],
  ])
}

/** The first sector's last bytes are its entries; the same of each extended boot record. */
function mbrSubject(): Subject {
  const records = mbrTable.partitions.flatMap(({ recordOffsetBytes }) => recordOffsetBytes ?? [])
  const slices = [0, ...records].map((offset) => [offset + 440, 72, 72] as const)
  return sliceSubject('an MBR with logical drives', diskWith(mbrTable), slices)
}

export const partitionSubjects: readonly Subject[] = [gptSubject(512), gptSubject(4096), mbrSubject()]
