import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource, openFile, readBytes } from '../byte-source.ts'
import { checkDisk } from '../check/check-disk.ts'
import { composeSource } from '../compose-source.ts'
import type { Allocation, DiskFormat } from '../disk/disk-plan.ts'
import { placeOf } from '../disk/place.ts'
import { MIB } from '../extent.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { structuresOf } from '../plan/structures.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writers } from '../testing/write-disk.ts'
import { openDisk } from './open-disk.ts'

const formats: readonly DiskFormat[] = ['vhd', 'vhdx']
const allocations: readonly Allocation[] = ['dynamic', 'fixed']

test('reads back all that was written, in every format', async (t) => {
  const directory = await temporaryDirectory(t)
  const virtualSizeBytes = 21 * MIB + 512
  const data = [
    { offsetBytes: 0, sizeBytes: 512 },
    { offsetBytes: 5 * MIB, sizeBytes: 2 * MIB },
    { offsetBytes: virtualSizeBytes - 512, sizeBytes: 512 },
  ]
  const content = await sparseContent(t, directory, virtualSizeBytes, data)
  let ran = 0
  for (const format of formats) {
    for (const allocation of allocations) {
      const plan = planDisk({ format, allocation, virtualSizeBytes, data })
      const path = join(directory, `${allocation}.${format}`)
      await writers.inOrder(path, plan, content)
      const file = await openFile(path)
      t.after(() => file.close())
      const disk = await openDisk(file)
      const { read: _, extents: __, ...description } = disk
      assert.deepEqual(description, {
        format,
        allocation,
        sizeBytes: virtualSizeBytes,
        blockSizeBytes: 2 * MIB,
        logicalSectorSizeBytes: 512,
        diskId: plan.diskId,
        linkId: plan.format === 'vhd' ? plan.diskId : plan.dataWriteId,
        parent: undefined,
      })
      assert.equal(await assertSameContent(disk, content.source), virtualSizeBytes)
      assert.deepEqual(
        await Array.fromAsync(disk.extents()),
        allocation === 'fixed'
          ? [{ kind: 'data', offsetBytes: 0, sizeBytes: virtualSizeBytes }]
          : [
              { kind: 'data', offsetBytes: 0, sizeBytes: 2 * MIB },
              { kind: 'zero', offsetBytes: 2 * MIB, sizeBytes: 2 * MIB },
              { kind: 'data', offsetBytes: 4 * MIB, sizeBytes: 4 * MIB },
              { kind: 'zero', offsetBytes: 8 * MIB, sizeBytes: 12 * MIB },
              { kind: 'data', offsetBytes: 20 * MIB, sizeBytes: MIB + 512 },
            ],
      )
      ran++
    }
  }
  assert.equal(ran, 4)
})

test('reads any range of a disk, wherever it begins and ends', async (t) => {
  const directory = await temporaryDirectory(t)
  const virtualSizeBytes = 7 * MIB
  const data = [{ offsetBytes: 3 * MIB, sizeBytes: 3 * MIB }]
  const content = await sparseContent(t, directory, virtualSizeBytes, data)
  const path = join(directory, 'disk.vhdx')
  const request = { format: 'vhdx', allocation: 'dynamic', virtualSizeBytes, data } as const
  await writers.inOrder(path, planDisk({ ...request, blockSizeBytes: MIB }), content)
  const file = await openFile(path)
  t.after(() => file.close())
  const disk = await openDisk(file)
  const range = fc.tuple(fc.nat(virtualSizeBytes), fc.nat(virtualSizeBytes))
  const property = fc.asyncProperty(range, async ([one, other]) => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    assert.ok(
      (await readBytes(disk, from, to - from)).equals(await readBytes(content.source, from, to - from)),
    )
  })
  await fc.assert(property, { numRuns: 30 })
})

test('reads back a VHDX of 4096-byte sectors, across the edge of a chunk of 32 GiB', async () => {
  const virtualSizeBytes = 33 * 1024 * MIB
  const edge = 32 * 1024 * MIB
  const data = [{ offsetBytes: edge - 4096, sizeBytes: 8192 }]
  const request = { format: 'vhdx', allocation: 'dynamic', logicalSectorSizeBytes: 4096 } as const
  const plan = planDisk({ ...request, virtualSizeBytes, data })
  const blocks = [edge - 4096, edge].map((offset, index) => {
    return { offsetBytes: placeOf(plan, offset) ?? -1, bytes: Buffer.alloc(4096, index + 1) }
  })
  const file = composeSource(plan.fileSizeBytes, [...structuresOf(plan), ...blocks])
  assert.deepEqual(await checkDisk(file), [])
  const disk = await openDisk(file)
  assert.equal(disk.logicalSectorSizeBytes, 4096)
  const expected = Buffer.concat([
    Buffer.alloc(4096),
    Buffer.alloc(4096, 1),
    Buffer.alloc(4096, 2),
    Buffer.alloc(4096),
  ])
  assert.deepEqual(await readBytes(disk, edge - 8192, 16_384), expected)
})

test('refuses to read beyond the end of a disk', async () => {
  const disk = await openDisk(bufferSource(smallVhd()))
  await assert.rejects(readBytes(disk, disk.sizeBytes - 511, 512), { code: 'truncated' })
  await assert.rejects(disk.read(Buffer.alloc(1), disk.sizeBytes), { code: 'truncated' })
})

test('refuses what is no disk', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(511), Buffer.alloc(4096, 7)]) {
    await assert.rejects(openDisk(bufferSource(bytes)), { code: 'unrecognised-format' })
  }
})

test('is not taken in by a guest that makes a fixed VHD look like a VHDX', async () => {
  const inner = plannedFile(
    { format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: MIB },
    Buffer.alloc(MIB, 1),
  )
  const sizeBytes = inner.file.byteLength
  const { file } = plannedFile(
    { format: 'vhd', allocation: 'fixed', virtualSizeBytes: sizeBytes },
    inner.file,
  )
  assert.equal((await openDisk(bufferSource(file))).format, 'vhdx')
  const disk = await openDisk(bufferSource(file), { format: 'vhd' })
  assert.equal(disk.sizeBytes, sizeBytes)
  assert.deepEqual(await checkDisk(bufferSource(file), { format: 'vhd' }), [])
  const plain = bufferSource(smallVhd())
  await assert.rejects(openDisk(plain, { format: 'vhdx' }), { code: 'unrecognised-format' })
  assert.equal((await checkDisk(plain, { format: 'vhdx' }))[0]?.code, 'unrecognised-format')
})

test('reads a fixed VHD whose footer has 511 bytes, as it had before 2004', async () => {
  const vhd = smallVhd()
  const disk = await openDisk(bufferSource(vhd.subarray(0, -1)))
  assert.equal(disk.sizeBytes, 4096)
})

function smallVhd(): Buffer {
  const plan = planDisk({ format: 'vhd', allocation: 'fixed', virtualSizeBytes: 4096, data: [] })
  const file = Buffer.alloc(plan.fileSizeBytes, 1)
  for (const { offsetBytes, bytes } of structuresOf(plan)) file.set(bytes, offsetBytes)
  return file
}
