import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource } from '../byte-source.ts'
import { compareDisks } from '../check/compare-disks.ts'
import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { type Extent, KIB, MIB } from '../extent.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { allocatedExtents, dataExtents } from './allocated-extents.ts'
import { openDisk } from './open-disk.ts'
import { rawDisk } from './raw-disk.ts'

const SIZE_BYTES = 6 * MIB

/** A disk with one byte set in each of some sectors. */
async function diskWith(
  format: 'vhd' | 'vhdx' | 'raw',
  sectors: readonly number[],
  sizeBytes = SIZE_BYTES,
): Promise<VirtualDisk> {
  const content = Buffer.alloc(sizeBytes)
  for (const sector of sectors) content.writeUInt8(1 + (sector % 255), sector * 512)
  if (format === 'raw') return rawDisk(bufferSource(content))
  const { file } = plannedFile({ format, allocation: 'dynamic', virtualSizeBytes: sizeBytes }, content)
  return openDisk(bufferSource(file), { format })
}

function listed(extents: AsyncIterable<Extent>): Promise<Extent[]> {
  return Array.fromAsync(extents)
}

test('lists what a disk stores, and what of that is not zero', async () => {
  const sectors = [0, 4 * 2048 + 1, 4 * 2048 + 256]
  const first = { offsetBytes: 0, sizeBytes: 2 * MIB }
  const last = { offsetBytes: 4 * MIB, sizeBytes: 2 * MIB }
  const data = [
    { offsetBytes: 0, sizeBytes: 64 * KIB },
    { offsetBytes: 4 * MIB, sizeBytes: 64 * KIB },
    { offsetBytes: 4 * MIB + 128 * KIB, sizeBytes: 64 * KIB },
  ]
  for (const format of ['vhd', 'vhdx'] as const) {
    const disk = await diskWith(format, sectors)
    assert.deepEqual(await listed(allocatedExtents(disk)), [first, last])
    assert.deepEqual(await listed(dataExtents(disk)), data)
  }
  const raw = await diskWith('raw', sectors)
  assert.deepEqual(await listed(allocatedExtents(raw)), [{ offsetBytes: 0, sizeBytes: SIZE_BYTES }])
  assert.deepEqual(await listed(dataExtents(raw)), data)
})

test('lists what a differencing disk and its parent store together', async () => {
  let ran = 0
  for (const { child, parent } of differencingFamilies(8 * MIB)) {
    const disk = await openDisk(bufferSource(child), { resolveParent: async () => bufferSource(parent) })
    // The parent has the first 6 MiB, the child one sector at the end of the rest.
    assert.deepEqual(await listed(allocatedExtents(disk)), [
      { offsetBytes: 0, sizeBytes: 6 * MIB },
      { offsetBytes: (3 * 4096 + 4095) * 512, sizeBytes: 512 },
    ])
    ran++
  }
  assert.equal(ran, 2)
})

test('lists a part of the extents, and refuses one that leaves the disk', async () => {
  const disk = await diskWith('vhdx', [0])
  const range = { offsetBytes: MIB, sizeBytes: 2 * MIB }
  assert.deepEqual(await Array.fromAsync(disk.extents(range)), [
    { offsetBytes: MIB, sizeBytes: MIB, kind: 'data' },
    { offsetBytes: 2 * MIB, sizeBytes: MIB, kind: 'zero' },
  ])
  for (const one of [disk, await diskWith('raw', [])]) {
    await assert.rejects(Array.fromAsync(one.extents({ offsetBytes: 5 * MIB, sizeBytes: 2 * MIB })), {
      code: 'truncated',
    })
  }
})

test('finds every difference between two disks, and no other', async () => {
  const sectors = fc.uniqueArray(fc.nat(SIZE_BYTES / 512 - 1), { maxLength: 4 })
  const format = fc.constantFrom('vhd' as const, 'vhdx' as const, 'raw' as const)
  const property = fc.asyncProperty(sectors, sectors, format, format, async (ours, theirs, one, other) => {
    const differences = await listed(compareDisks(await diskWith(one, ours), await diskWith(other, theirs)))
    const units = differences.flatMap(({ offsetBytes, sizeBytes }) => {
      return Array.from({ length: sizeBytes / 4096 }, (_, index) => offsetBytes / 4096 + index)
    })
    const differing = [...ours.filter((s) => !theirs.includes(s)), ...theirs.filter((s) => !ours.includes(s))]
    const expected = [...new Set(differing.map((sector) => Math.floor(sector / 8)))].sort((a, b) => a - b)
    assert.deepEqual(units, expected)
  })
  await fc.assert(property, { numRuns: 25 })
})

test('takes a disk that is shorter for one with zeros behind it', async () => {
  const shorter = await diskWith('vhd', [1], 2 * MIB + 512)
  assert.deepEqual(await listed(compareDisks(shorter, await diskWith('vhdx', [1]))), [])
  assert.deepEqual(await listed(compareDisks(await diskWith('raw', [1, 5 * 2048]), shorter)), [
    { offsetBytes: 5 * MIB, sizeBytes: 4096 },
  ])
})
