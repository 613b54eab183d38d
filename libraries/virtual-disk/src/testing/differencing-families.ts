import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { DiskFormat } from '../disk/disk-plan.ts'
import { MIB } from '../extent.ts'
import { differencingVhd } from './differencing-vhd.ts'
import { differencingVhdx } from './differencing-vhdx.ts'
import { plannedFile } from './planned-file.ts'

const SECTORS_PER_BLOCK = 4096

/** A differencing disk with its parent. */
export interface DifferencingFamily {
  readonly format: DiskFormat
  readonly parent: Buffer
  readonly child: Buffer
  /** What a guest sees on the child. */
  readonly content: Buffer
}

/** Sectors alone, in runs, at a byte's edge of the bitmap, and at both ends of a block. */
const ownSectors = [
  0,
  1,
  2,
  7,
  8,
  9,
  4095,
  SECTORS_PER_BLOCK,
  SECTORS_PER_BLOCK + 17,
  3 * SECTORS_PER_BLOCK + 4095,
]

/** One family for each format, with the same sectors. */
export function differencingFamilies(sizeBytes: number): readonly DifferencingFamily[] {
  const parentContent = Buffer.concat([randomBytes(sizeBytes - 2 * MIB), Buffer.alloc(2 * MIB)])
  const sectors = new Map(ownSectors.map((sector) => [sector, randomBytes(512)]))
  const content = Buffer.from(parentContent)
  for (const [sector, bytes] of sectors) content.set(bytes, sector * 512)

  const request = { allocation: 'dynamic', virtualSizeBytes: sizeBytes } as const
  const vhd = plannedFile({ ...request, format: 'vhd' }, parentContent)
  const vhdx = plannedFile({ ...request, format: 'vhdx' }, parentContent)
  const common = { sizeBytes, sectors }
  assert.ok(vhdx.plan.format === 'vhdx')
  return [
    {
      format: 'vhd',
      parent: vhd.file,
      child: differencingVhd({ ...common, parentId: vhd.plan.diskId, parentName: 'parent.vhd' }),
      content,
    },
    {
      format: 'vhdx',
      parent: vhdx.file,
      child: differencingVhdx({ ...common, parentLinkId: vhdx.plan.dataWriteId, parentName: 'parent.vhdx' }),
      content,
    },
  ]
}
