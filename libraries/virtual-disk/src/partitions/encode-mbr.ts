import { type Extent, MIB, type Region } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { encodeBootRecord, isExtended, type MbrEntry, PROTECTIVE_TYPE } from './mbr.ts'
import type { ExtendedPartition, Partition, PartitionTable } from './partition-table.ts'
import { findMisplacement, type NamedExtent } from './placement.ts'

/** The entries count sectors in 32 bits, so nothing at or beyond this sector can be described. */
const SECTORS_MAX = 2 ** 32

/**
 * The boot record of a disk, and one extended boot record for each logical drive. `bootCode` is what a
 * BIOS runs (at most 440 bytes). Throws `invalid-argument` for tables an MBR cannot say, `disk-too-large`
 * for partitions beyond 2^32 sectors.
 */
export function encodeMbr(table: PartitionTable, bootCode?: Uint8Array): Region[] {
  requireArgument(/^[0-9A-F]{8}$/.test(table.diskId), `an MBR disk signature is eight hexadecimal digits`)
  const primary = table.partitions.filter((partition) => partition.number <= 4)
  const logical = table.partitions.filter((partition) => partition.number > 4)
  const chain = planChain(logical, table.extended)
  requirePlaces(table, primary, chain)

  const entries: (MbrEntry | undefined)[] = [undefined, undefined, undefined, undefined]
  for (const partition of [...primary, ...(table.extended === undefined ? [] : [table.extended])]) {
    requireArgument(
      Number.isInteger(partition.number) && partition.number >= 1 && partition.number <= 4,
      `there is no MBR slot ${partition.number}`,
    )
    requireArgument(entries[partition.number - 1] === undefined, `MBR slot ${partition.number} is used twice`)
    entries[partition.number - 1] = encodeEntry(partition, 0, table.sectorSizeBytes)
  }
  for (const { number, type } of table.partitions) {
    const code = Number.parseInt(type, 16)
    requireArgument(
      code !== PROTECTIVE_TYPE && !isExtended(code),
      `partition ${number} has the type ${type}, which makes something else of it`,
    )
  }
  const signature = Number.parseInt(table.diskId, 16)
  const record: Region = { offsetBytes: 0, bytes: encodeBootRecord({ signature, entries }, bootCode) }
  return [record, ...encodeChain(chain, table)]
}

/** A record of the chain; the first may have no drive of its own and only lead to the next. */
interface ExtendedRecord {
  readonly offsetBytes: number
  readonly drive: Partition | undefined
}

/** The first record opens the extended partition; the others come 1 MiB before their drive unless said. */
function planChain(logical: readonly Partition[], extended: ExtendedPartition | undefined): ExtendedRecord[] {
  if (extended === undefined) {
    requireArgument(logical.length === 0, 'logical drives need an extended partition')
    return []
  }
  requireArgument(isExtended(Number.parseInt(extended.type, 16)), `${extended.type} is no extended type`)
  const ordered = logical.toSorted((a, b) => a.number - b.number)
  const records = ordered.map((drive, index) => {
    requireArgument(drive.number === index + 5, 'logical drives are numbered from 5 without gaps')
    const byDefault = index === 0 ? extended.offsetBytes : drive.offsetBytes - MIB
    const offsetBytes = drive.recordOffsetBytes ?? byDefault
    requireArgument(offsetBytes < drive.offsetBytes, 'an extended boot record precedes its drive')
    return { offsetBytes, drive }
  })
  if (records[0]?.offsetBytes === extended.offsetBytes) return records
  return [{ offsetBytes: extended.offsetBytes, drive: undefined }, ...records]
}

function requirePlaces(
  table: PartitionTable,
  primary: readonly Partition[],
  chain: readonly ExtendedRecord[],
): void {
  const { sectorSizeBytes, diskSizeBytes, extended } = table
  const afterRecord = { offsetBytes: sectorSizeBytes, sizeBytes: diskSizeBytes - sectorSizeBytes }
  const container = extended === undefined ? [] : [{ ...extended, label: 'the extended partition' }]
  refuse(findMisplacement([...primary.map(named), ...container], afterRecord, sectorSizeBytes))
  if (extended !== undefined) {
    const parts = chain.flatMap(({ drive, offsetBytes }) => [
      ...(drive === undefined ? [] : [named(drive)]),
      { label: `the extended boot record at ${offsetBytes}`, offsetBytes, sizeBytes: sectorSizeBytes },
    ])
    refuse(findMisplacement(parts, extended, sectorSizeBytes))
  }
  for (const { offsetBytes, sizeBytes } of [...table.partitions, ...container]) {
    if ((offsetBytes + sizeBytes) / sectorSizeBytes > SECTORS_MAX) {
      throw new DiskFailure('disk-too-large', 'an MBR cannot describe sectors beyond 2^32; use a GPT')
    }
  }
}

function named(partition: Partition): NamedExtent {
  return { ...partition, label: `partition ${partition.number}` }
}

function refuse(misplacement: string | undefined): void {
  if (misplacement !== undefined) throw new DiskFailure('invalid-argument', misplacement)
}

/** Each record names its own drive, counted from itself, and the next record, counted from the container. */
function encodeChain(chain: readonly ExtendedRecord[], table: PartitionTable): Region[] {
  const containerOffset = table.extended?.offsetBytes ?? 0
  const regions = chain.map(({ drive, offsetBytes }, index) => {
    const own = drive && encodeEntry(drive, offsetBytes, table.sectorSizeBytes)
    const next = chain[index + 1]
    const link = next && encodeEntry(linkTo(next), containerOffset, table.sectorSizeBytes)
    const entries = own === undefined ? [link] : [own, link]
    return { offsetBytes, bytes: encodeBootRecord({ signature: 0, entries }) }
  })
  return regions.sort((a, b) => a.offsetBytes - b.offsetBytes)
}

function linkTo({ drive, offsetBytes }: ExtendedRecord): Extent & { readonly type: string } {
  const end = drive === undefined ? offsetBytes : drive.offsetBytes + drive.sizeBytes
  return { type: '05', offsetBytes, sizeBytes: end - offsetBytes }
}

function encodeEntry(
  part: Extent & { readonly type: string; readonly active?: boolean },
  originBytes: number,
  sectorSizeBytes: number,
): MbrEntry {
  requireArgument(
    /^[0-9A-F]{2}$/.test(part.type) && part.type !== '00',
    `an MBR type is two hexadecimal digits other than 00, not ${JSON.stringify(part.type)}`,
  )
  return {
    active: part.active ?? false,
    type: Number.parseInt(part.type, 16),
    firstSector: (part.offsetBytes - originBytes) / sectorSizeBytes,
    sectorCount: part.sizeBytes / sectorSizeBytes,
  }
}
