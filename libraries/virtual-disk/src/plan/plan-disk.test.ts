import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiskRequest } from '../disk/disk-request.ts'
import { placeOf, placesOf } from '../disk/place.ts'
import { KIB, MIB } from '../extent.ts'
import { planDisk } from './plan-disk.ts'
import { sealsOf, structuresOf } from './structures.ts'

const GIB = 1024 * MIB
const vhdx = { format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: 9 * GIB, data: [] } as const
const vhd = { ...vhdx, format: 'vhd' } as const

test('places present blocks one after the other and absent ones nowhere', () => {
  const data = [
    { offsetBytes: 9 * MIB, sizeBytes: 2 * MIB },
    { offsetBytes: 0, sizeBytes: 1 },
  ]
  const inVhdx = planDisk({ ...vhdx, data })
  assert.deepEqual(
    [0, 2 * MIB, 8 * MIB + 5, 10 * MIB, 12 * MIB].map((offset) => placeOf(inVhdx, offset)),
    [4 * MIB, undefined, 6 * MIB + 5, 8 * MIB, undefined],
  )
  assert.equal(inVhdx.fileSizeBytes, 10 * MIB)

  const first = 20 * KIB
  const inVhd = planDisk({ ...vhd, data })
  assert.deepEqual(
    [0, 2 * MIB, 8 * MIB + 5, 10 * MIB, 12 * MIB].map((offset) => placeOf(inVhd, offset)),
    [first, undefined, first + 2 * MIB + 4 * KIB + 5, first + 4 * MIB + 8 * KIB, undefined],
  )
  assert.equal(inVhd.fileSizeBytes, first + 6 * MIB + 8 * KIB + 512)
})

test('splits an extent at the edges of blocks', () => {
  const plan = planDisk({ ...vhdx, data: [{ offsetBytes: 2 * MIB, sizeBytes: 2 * MIB }] })
  assert.deepEqual(
    [...placesOf(plan, { offsetBytes: MIB, sizeBytes: 4 * MIB })],
    [
      { offsetBytes: MIB, sizeBytes: MIB, fileOffsetBytes: undefined },
      { offsetBytes: 2 * MIB, sizeBytes: 2 * MIB, fileOffsetBytes: 4 * MIB },
      { offsetBytes: 4 * MIB, sizeBytes: MIB, fileOffsetBytes: undefined },
    ],
  )
})

test('says the same after it was sent to another thread', () => {
  for (const request of [vhd, vhdx]) {
    const plan = planDisk({ ...request, data: [{ offsetBytes: 5 * GIB, sizeBytes: 7 * MIB }] })
    const sent = structuredClone(plan)
    assert.equal(placeOf(sent, 5 * GIB + 6 * MIB), placeOf(plan, 5 * GIB + 6 * MIB))
    assert.equal(sent.blocks.words.buffer instanceof SharedArrayBuffer, true)
    const pieces = [...structuresOf(plan)]
    assert.deepEqual([...structuresOf(sent)], pieces)
  }
})

test('plans structures in the order of the file, apart from each other, blocks and the end', () => {
  const data = [0, 3, 4, 4607].map((block) => ({ offsetBytes: block * 2 * MIB, sizeBytes: 1 }))
  let ran = 0
  for (const request of [vhd, vhdx]) {
    for (const allocation of ['dynamic', 'fixed'] as const) {
      const plan = planDisk({ ...request, allocation, data })
      let end = 0
      for (const { offsetBytes, bytes } of structuresOf(plan)) {
        assert.ok(offsetBytes >= end, `${plan.format} at ${offsetBytes}`)
        end = offsetBytes + bytes.byteLength
        ran++
      }
      assert.ok(end <= plan.fileSizeBytes)
    }
  }
  assert.ok(ran > 20)
})

test('seals a VHDX by its headers and a VHD by its footers', () => {
  const seals = (request: DiskRequest): number[] =>
    sealsOf(planDisk(request)).map(({ offsetBytes }) => offsetBytes)
  assert.deepEqual(seals(vhdx), [64 * KIB, 128 * KIB])
  assert.deepEqual(seals({ ...vhdx, allocation: 'fixed', virtualSizeBytes: MIB }), [64 * KIB, 128 * KIB])
  assert.deepEqual(seals({ ...vhd, virtualSizeBytes: MIB }), [0, 2048])
  assert.deepEqual(seals({ ...vhd, allocation: 'fixed', virtualSizeBytes: MIB }), [MIB])
})

test('refuses disks beyond the limit of their format, to the sector', () => {
  planDisk({ ...vhd, virtualSizeBytes: 2040 * GIB })
  planDisk({ ...vhdx, virtualSizeBytes: 64 * 1024 * GIB })
  const tooLarge = [
    { ...vhd, virtualSizeBytes: 2040 * GIB + 512 },
    { ...vhdx, virtualSizeBytes: 64 * 1024 * GIB + 512 },
  ]
  for (const request of tooLarge) assert.throws(() => planDisk(request), { code: 'disk-too-large' })
})

test('refuses what a format does not have', () => {
  const requests: readonly DiskRequest[] = [
    { ...vhdx, virtualSizeBytes: 0 },
    { ...vhdx, virtualSizeBytes: 513 },
    { ...vhdx, virtualSizeBytes: MIB + 512, logicalSectorSizeBytes: 4096 },
    { ...vhdx, blockSizeBytes: 512 * KIB },
    { ...vhdx, blockSizeBytes: 3 * MIB },
    { ...vhdx, blockSizeBytes: 512 * MIB },
    { ...vhdx, createdAt: new Date() },
    { ...vhdx, diskId: 'no id' },
    { ...vhdx, data: [{ offsetBytes: 9 * GIB, sizeBytes: 1 }] },
    { ...vhd, virtualSizeBytes: 0 },
    { ...vhd, virtualSizeBytes: Number.NaN },
    { ...vhd, virtualSizeBytes: 513 },
    { ...vhd, blockSizeBytes: MIB },
    { ...vhd, logicalSectorSizeBytes: 4096 },
    { ...vhd, physicalSectorSizeBytes: 512 },
    { ...vhd, createdAt: new Date('1999-12-31T23:59:59Z') },
    { ...vhd, diskId: '' },
  ]
  let ran = 0
  for (const request of requests) {
    assert.throws(() => planDisk(request), { code: 'invalid-argument' }, `request ${ran}`)
    ran++
  }
  assert.equal(ran, requests.length)
})

test('needs no time worth mentioning for the largest disk', () => {
  const plan = planDisk({ ...vhdx, virtualSizeBytes: 64 * 1024 * GIB })
  const [, , , , , , firstPiece] = structuresOf(plan)
  assert.equal(firstPiece?.offsetBytes, 3 * MIB)
  assert.equal(plan.firstBlockOffsetBytes, 3 * MIB + 257 * MIB)
})
