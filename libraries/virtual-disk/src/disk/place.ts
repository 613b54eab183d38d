import type { Extent } from '../extent.ts'
import { hasBlock, rankOf } from './block-set.ts'
import type { DiskPlan } from './disk-plan.ts'

/** The file offset of the byte the guest sees at `virtualOffsetBytes`; undefined in a block that is absent. */
export function placeOf(plan: DiskPlan, virtualOffsetBytes: number): number | undefined {
  const block = Math.floor(virtualOffsetBytes / plan.blockSizeBytes)
  if (!hasBlock(plan.blocks, block)) return undefined
  return placeOfBlock(plan, rankOf(plan.blocks, block)) + (virtualOffsetBytes % plan.blockSizeBytes)
}

/** The file offset of the data of the `rank`-th present block, counted from 0. */
export function placeOfBlock(plan: DiskPlan, rank: number): number {
  return plan.firstBlockOffsetBytes + rank * plan.blockStrideBytes
}

/** A part of a virtual extent that is one piece in the file, or that has no place there. */
export interface Place extends Extent {
  readonly fileOffsetBytes: number | undefined
}

/** Splits an extent of the virtual disk where blocks end. Pieces are in order and cover all of it. */
export function* placesOf(plan: DiskPlan, extent: Extent): Generator<Place> {
  const end = extent.offsetBytes + extent.sizeBytes
  let offsetBytes = extent.offsetBytes
  while (offsetBytes < end) {
    const blockEnd = (Math.floor(offsetBytes / plan.blockSizeBytes) + 1) * plan.blockSizeBytes
    const sizeBytes = Math.min(blockEnd, end) - offsetBytes
    yield { offsetBytes, sizeBytes, fileOffsetBytes: placeOf(plan, offsetBytes) }
    offsetBytes += sizeBytes
  }
}
