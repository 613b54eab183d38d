import { randomBytes } from 'node:crypto'
import { MIB, type Region, requireByteCount, roundUp } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { parseGuid, randomGuid } from '../guid.ts'
import { encodePartitionTable } from './encode.ts'
import type { Partition, PartitionScheme, PartitionTable, SectorSizeBytes } from './partition-table.ts'

/** The volume for which `planSingleVolumeDisk` makes a disk, and what the disk shall be. */
export interface SingleVolumeDiskRequest {
  readonly volumeSizeBytes: number
  readonly scheme: PartitionScheme
  /** GPT: a type GUID. MBR: two hexadecimal digits. See `partitionTypes`. */
  readonly partitionType: string
  /** GPT only; at most 36 UTF-16 units. */
  readonly name?: string
  /** GPT only. */
  readonly attributes?: bigint
  /** MBR only: whether a BIOS boots this partition. */
  readonly active?: boolean
  /** GPT: a GUID; MBR: eight hexadecimal digits. Random unless given: two disks with one id collide. */
  readonly diskId?: string
  /** GPT only; random unless given. */
  readonly partitionId?: string
  /** 512 unless given. A disk of 4096-byte sectors can only become a VHDX. */
  readonly sectorSizeBytes?: SectorSizeBytes
}

/** A disk that holds one volume, and the bytes around it. */
export interface SingleVolumeDisk {
  readonly virtualSizeBytes: number
  readonly partitionOffsetBytes: number
  /** The volume's size rounded up to whole sectors, so that a backup boot sector stays the last one. */
  readonly partitionSizeBytes: number
  readonly table: PartitionTable
  /** Everything on the disk that is neither the volume nor zero, in ascending order. */
  readonly regions: readonly Region[]
}

/**
 * Wraps one volume into a disk: 1 MiB in front, the volume in room rounded up to 1 MiB, and for GPT 1 MiB
 * behind it. So the volume's chunks of up to 1 MiB stay aligned in the disk.
 *
 * Throws `disk-too-large` when an MBR cannot describe the volume, `invalid-argument` for anything that is
 * not a size, type, name or id of the scheme.
 */
export function planSingleVolumeDisk(request: SingleVolumeDiskRequest): SingleVolumeDisk {
  const { volumeSizeBytes, scheme, sectorSizeBytes = 512 } = request
  requireByteCount(volumeSizeBytes, 'volumeSizeBytes')
  requireArgument(volumeSizeBytes > 0, 'an empty volume cannot be put on a disk')
  const partitionSizeBytes = roundUp(volumeSizeBytes, sectorSizeBytes)
  const virtualSizeBytes = MIB + roundUp(volumeSizeBytes, MIB) + (scheme === 'gpt' ? MIB : 0)
  if (scheme === 'mbr' && (MIB + partitionSizeBytes) / sectorSizeBytes > 2 ** 32) {
    throw new DiskFailure('disk-too-large', 'an MBR cannot describe a volume this large; use a GPT')
  }
  const place = { number: 1, offsetBytes: MIB, sizeBytes: partitionSizeBytes }
  const table: PartitionTable = {
    scheme,
    diskSizeBytes: virtualSizeBytes,
    sectorSizeBytes,
    ...(scheme === 'gpt' ? gptIdentity(request, place) : mbrIdentity(request, place)),
  }
  return {
    virtualSizeBytes,
    partitionOffsetBytes: MIB,
    partitionSizeBytes,
    table,
    regions: encodePartitionTable(table),
  }
}

type Identity = Pick<PartitionTable, 'diskId' | 'partitions'>
type Place = Pick<Partition, 'number' | 'offsetBytes' | 'sizeBytes'>

function gptIdentity(request: SingleVolumeDiskRequest, place: Place): Identity {
  requireArgument(request.active === undefined, 'only MBR partitions can be active')
  const partition = {
    ...place,
    type: parseGuid(request.partitionType, 'partitionType'),
    uniqueId: parseGuid(request.partitionId ?? randomGuid(), 'partitionId'),
    name: request.name ?? '',
    attributes: request.attributes ?? 0n,
    active: false,
  }
  return { diskId: parseGuid(request.diskId ?? randomGuid(), 'diskId'), partitions: [partition] }
}

function mbrIdentity(request: SingleVolumeDiskRequest, place: Place): Identity {
  requireArgument(request.partitionId === undefined, 'MBR partitions have no id of their own')
  requireArgument(request.name === undefined, 'MBR partitions have no name')
  requireArgument(request.attributes === undefined, 'MBR partitions have no attributes')
  const diskId = (request.diskId ?? randomSignature()).toUpperCase()
  const partition = {
    ...place,
    type: request.partitionType.toUpperCase(),
    uniqueId: `${diskId}-01`,
    name: '',
    attributes: 0n,
    active: request.active ?? false,
  }
  return { diskId, partitions: [partition] }
}

/**
 * A new MBR disk signature, eight hexadecimal digits. Zero would mean that the disk was never signed; Windows would then
 * write a signature of its own.
 */
export function randomSignature(): string {
  const signature = Math.max(1, randomBytes(4).readUInt32LE())
  return signature.toString(16).padStart(8, '0')
}
