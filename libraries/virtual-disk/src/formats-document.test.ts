import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { presentBlocks } from './disk/block-set.ts'
import type { DiskPlan } from './disk/disk-plan.ts'
import { placeOf } from './disk/place.ts'
import { MIB } from './extent.ts'
import { planDisk } from './plan/plan-disk.ts'
import { structuresOf } from './plan/structures.ts'

const documentPath = new URL('../FORMATS.md', import.meta.url)

test('the example in the description of the formats is what we write', async () => {
  const document = await readFile(documentPath, 'utf8')
  const rows = [...document.matchAll(/^\| (vhdx?) \| (\d+) \| (\d+) \|/gm)].map((row) =>
    row.slice(1).join(' '),
  )
  const virtualSizeBytes = 64 * MIB
  const data = [0, 31].map((block) => ({ offsetBytes: block * 2 * MIB, sizeBytes: 1 }))
  const written = (['vhdx', 'vhd'] as const).flatMap((format) => {
    const plan = planDisk({ format, allocation: 'dynamic', virtualSizeBytes, data })
    return piecesOf(plan).map(([offset, size]) => `${format} ${offset} ${size}`)
  })
  assert.ok(rows.length > 0)
  assert.deepEqual(rows, written, 'edit FORMATS.md, "An example"')
})

function piecesOf(plan: DiskPlan): (readonly [number, number])[] {
  const structures = [...structuresOf(plan)].map(
    (piece) => [piece.offsetBytes, piece.bytes.byteLength] as const,
  )
  const blocks = [...presentBlocks(plan.blocks)].map((block) => {
    return [placeOf(plan, block * plan.blockSizeBytes) ?? -1, plan.blockSizeBytes] as const
  })
  return [...structures, ...blocks].sort(([one], [other]) => one - other)
}
