import type { Extent } from '../extent.ts'

/** The two kinds of partition tables: GPT (UEFI) and MBR (of BIOS). */
export type PartitionScheme = 'gpt' | 'mbr'

/** One partition of either scheme. What a scheme does not know is empty, zero or false. */
export interface Partition extends Extent {
  /** Slot in the table, from 1: GPT 1 to 128, MBR primary 1 to 4, MBR logical from 5 on. */
  readonly number: number
  /** GPT: the type GUID. MBR: the type byte as two hexadecimal digits, such as `07`. Upper case. */
  readonly type: string
  /** GPT: the partition's own GUID. MBR: disk signature and number, such as `1A2B3C4D-01`, as Linux has it. */
  readonly uniqueId: string
  /** GPT: at most 36 UTF-16 units. */
  readonly name: string
  /** GPT: the 64 attribute bits; see {@link gptAttributes}. */
  readonly attributes: bigint
  /** MBR: the one that a BIOS boots. */
  readonly active: boolean
  /** MBR logical drives only: where the extended boot record that describes this drive is. */
  readonly recordOffsetBytes?: number
}

/** The MBR container of logical drives; not a partition one could put a volume on. */
export interface ExtendedPartition extends Extent {
  readonly number: number
  readonly type: string
}

/** The division of a disk into partitions, ordered by number. */
export interface PartitionTable {
  readonly scheme: PartitionScheme
  /** GPT: the disk's GUID. MBR: the disk signature, eight hexadecimal digits. Upper case. */
  readonly diskId: string
  /** A whole number of sectors; what an image has behind the last one belongs to no disk. */
  readonly diskSizeBytes: number
  readonly sectorSizeBytes: SectorSizeBytes
  readonly partitions: readonly Partition[]
  readonly extended?: ExtendedPartition
}

/**
 * What a reader noticed and could live with.
 *
 * - `primary-damaged`          the GPT was read from its backup
 * - `backup-damaged`           the GPT's backup is missing or wrong
 * - `copies-differ`            both copies of the GPT are intact and do not say the same; the primary counts
 * - `backup-not-at-end`        the disk is larger than the GPT knows
 * - `protective-mbr-missing`   a GPT without the MBR that protects it from older tools
 * - `hybrid-mbr`               a GPT whose MBR describes partitions as well; the GPT counts
 */
export type PartitionTableProblemCode =
  | 'primary-damaged'
  | 'backup-damaged'
  | 'copies-differ'
  | 'backup-not-at-end'
  | 'protective-mbr-missing'
  | 'hybrid-mbr'

/** Something about a partition table that a reader could live with. */
export interface PartitionTableProblem {
  readonly code: PartitionTableProblemCode
  readonly message: string
  readonly offsetBytes: number
}

/** A partition table as it was read, with what was odd about it. */
export interface ReadPartitionTable extends PartitionTable {
  /** Empty for a table in good order. */
  readonly problems: readonly PartitionTableProblem[]
}

/** The sizes of logical sectors that disks have. */
export type SectorSizeBytes = 512 | 4096

/** GPT attribute bits (UEFI 2.10, table 5-8, and Microsoft's for basic data partitions). */
export const gptAttributes = {
  required: 1n << 0n,
  legacyBoot: 1n << 2n,
  readOnly: 1n << 60n,
  hidden: 1n << 62n,
  noDriveLetter: 1n << 63n,
} as const

/** Partition types one meets most, by scheme, in the spelling of {@link Partition.type}. */
export const partitionTypes = {
  gpt: {
    efiSystem: 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B',
    microsoftReserved: 'E3C9E316-0B5C-4DB8-817D-F92DF00215AE',
    basicData: 'EBD0A0A2-B9E5-4433-87C0-68B6B72699C7',
    recovery: 'DE94BBA4-06D1-4D40-A16A-BFD50179D6AC',
    linux: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
    /** Holds the core of a boot loader that a BIOS starts, and no file system. */
    biosBoot: '21686148-6449-6E6F-744E-656564454649',
  },
  mbr: {
    ntfs: '07',
    fat32: '0C',
    extended: '0F',
    recovery: '27',
    linux: '83',
    protective: 'EE',
    efiSystem: 'EF',
  },
} as const
