import type { DiskPlan } from '../disk/disk-plan.ts'
import { placeOfBlock } from '../disk/place.ts'
import type { Region } from '../extent.ts'
import { vhdPreamble, vhdSeals, vhdTables } from '../vhd/structures.ts'
import { vhdxSeals, vhdxTables } from '../vhdx/structures.ts'

/**
 * What describes the disk and its blocks, in the order of the file. Pieces are at most 1 MiB and are made as
 * they are asked for, so this takes no memory worth mentioning for the largest disk.
 */
export function tablesOf(plan: DiskPlan): Iterable<Region> {
  return plan.format === 'vhd' ? vhdTables(plan) : vhdxTables(plan)
}

/**
 * The headers or footers that make the file valid, in the order of the file. They are written when everything
 * else is on the disk, so that a file left behind by a crash cannot be taken for a complete one.
 */
export function sealsOf(plan: DiskPlan): readonly Region[] {
  return plan.format === 'vhd' ? vhdSeals(plan) : vhdxSeals(plan)
}

const nothing = new Uint8Array(0)

/** What comes right before the data of every present block; often nothing. Not to be changed. */
export function preambleOf(plan: DiskPlan): Uint8Array {
  return plan.format === 'vhd' ? vhdPreamble(plan) : nothing
}

/** Everything in the file that is neither block data nor zero, in the order of the file. */
export function structuresOf(plan: DiskPlan): Iterable<Region> {
  return inOrder(tablesOf(plan), sealsOf(plan), preambles(plan))
}

function* preambles(plan: DiskPlan): Generator<Region> {
  const bytes = preambleOf(plan)
  if (bytes.byteLength === 0) return
  for (let rank = 0; rank < plan.blocks.presentCount; rank++) {
    yield { offsetBytes: placeOfBlock(plan, rank) - bytes.byteLength, bytes }
  }
}

/** Merges ordered regions into one order. */
function* inOrder(...ordered: readonly Iterable<Region>[]): Generator<Region> {
  const waiting = ordered.map((regions) => {
    const iterator = regions[Symbol.iterator]()
    return { iterator, next: iterator.next() }
  })
  for (;;) {
    let first: (typeof waiting)[number] | undefined
    for (const candidate of waiting) {
      if (candidate.next.done === true) continue
      if (first === undefined || first.next.done === true) first = candidate
      else if (candidate.next.value.offsetBytes < first.next.value.offsetBytes) first = candidate
    }
    if (first === undefined || first.next.done === true) return
    yield first.next.value
    first.next = first.iterator.next()
  }
}
