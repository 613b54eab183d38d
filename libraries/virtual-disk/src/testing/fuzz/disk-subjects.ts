import { KIB, MIB } from '../../extent.ts'
import { vhdChecksum } from '../../vhd/footer.ts'
import { sealChecksum } from '../../vhdx/header.ts'
import { differencingFamilies } from '../differencing-families.ts'
import { logRing, markDirty } from '../dirty-vhdx.ts'
import { plannedFile } from '../planned-file.ts'
import { encodeLogEntry, putLogEntry } from '../vhdx-log.ts'
import { type Subject, sliceSubject } from './subject.ts'

const SIZE_BYTES = 5 * MIB
const LOG_ID = '01234567-89AB-CDEF-0123-456789ABCDEF'

/** Two of its three blocks are present. */
function fileOf(format: 'vhd' | 'vhdx', allocation: 'dynamic' | 'fixed' = 'dynamic'): Buffer {
  const content = Buffer.alloc(SIZE_BYTES)
  content.fill(1, 0, 4096)
  content.fill(2, 4 * MIB, 4 * MIB + 4096)
  return plannedFile({ format, allocation, virtualSizeBytes: SIZE_BYTES }, content).file
}

const sealFooter = (bytes: Buffer): void => sealSum(bytes, 64)
const sealDynamicHeader = (bytes: Buffer): void => sealSum(bytes, 36)

function vhdSubject(title: string, file: Buffer): Subject {
  return sliceSubject(title, file, [
    [0, 512, 90, sealFooter],
    [512, 1024, 620, sealDynamicHeader],
    [1536, 512, 12],
    [2048, 512, 40],
    [3584, 512, 512],
    [file.byteLength - 512, 512, 90, sealFooter],
  ])
}

function fixedVhdSubject(): Subject {
  const file = fileOf('vhd', 'fixed')
  return sliceSubject('a fixed VHD', file, [[file.byteLength - 512, 512, 90, sealFooter]])
}

function sealSum(bytes: Buffer, at: number): void {
  bytes.writeUInt32BE(vhdChecksum(bytes, at), at)
}

function vhdxSubject(title: string, file: Buffer): Subject {
  return sliceSubject(title, file, [
    [0, 16, 16],
    [64 * KIB, 4096, 84, sealCrc],
    [128 * KIB, 4096, 84, sealCrc],
    [192 * KIB, 64 * KIB, 112, sealCrc],
    [256 * KIB, 64 * KIB, 112, sealCrc],
    [MIB, 8192, 200, sealLogEntry],
    [2 * MIB, 512, 300],
    [2 * MIB + 64 * KIB, 512, 48],
    [2 * MIB + 66 * KIB, 1024, 400],
    [3 * MIB, 4096, 40],
    [3 * MIB + 2048 * 8, 8, 8],
    [4 * MIB, 1024, 1024],
  ])
}

/** The entry as long as it says it is, if it is there as a whole. */
function sealLogEntry(log: Buffer): void {
  const sizeBytes = log.readUInt32LE(8)
  if (sizeBytes >= 64 && sizeBytes <= log.byteLength) sealCrc(log.subarray(0, sizeBytes))
}

function sealCrc(bytes: Buffer): void {
  bytes.writeUInt32LE(0, 4)
  sealChecksum(bytes, 4)
}

function dirtyVhdx(): Buffer {
  const file = fileOf('vhdx')
  const zero = { offsetBytes: 5 * MIB, zeroBytes: 4096 }
  const sector = { offsetBytes: 4 * MIB, bytes: Buffer.alloc(4096, 3) }
  putLogEntry(
    logRing(file),
    0,
    encodeLogEntry({ logId: LOG_ID, sequence: 1n, tail: 0, updates: [zero, sector] }),
  )
  markDirty(file, LOG_ID)
  return file
}

const families = differencingFamilies(8 * MIB)

/** The parents of those subjects that have one. */
export const parents = families.map(({ parent }) => parent)

/** One of each kind of disk that can be read. */
export const diskSubjects: readonly Subject[] = [
  fixedVhdSubject(),
  vhdSubject('a dynamic VHD', fileOf('vhd')),
  ...families.map(({ format, child }) => {
    return (format === 'vhd' ? vhdSubject : vhdxSubject)(`a differencing ${format.toUpperCase()}`, child)
  }),
  vhdxSubject('a VHDX', fileOf('vhdx')),
  vhdxSubject('a VHDX that was not closed', dirtyVhdx()),
]
