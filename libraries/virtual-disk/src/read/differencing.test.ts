import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type ByteSource, bufferSource, readBytes } from '../byte-source.ts'
import type { ParentReference } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { randomGuid } from '../guid.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { differencingVhd } from '../testing/differencing-vhd.ts'
import { differencingVhdx } from '../testing/differencing-vhdx.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { openDisk } from './open-disk.ts'

const SIZE_BYTES = 8 * MIB

test('reads a differencing disk as its own sectors over those of its parent', async () => {
  let ran = 0
  for (const { parent, child, content, format } of differencingFamilies(SIZE_BYTES)) {
    const requests: ParentReference[] = []
    const resolveParent = async (reference: ParentReference): Promise<ByteSource> => {
      requests.push(reference)
      return bufferSource(parent)
    }
    const disk = await openDisk(bufferSource(child), { resolveParent })
    assert.equal(disk.allocation, 'differencing')
    await assertSameContent(disk, bufferSource(content))
    assert.equal(requests.length, 1)
    assert.equal(requests[0]?.paths[0], `.\\parent.${format}`)
    const extents = await Array.fromAsync(disk.extents())
    const own = extents.filter((extent) => extent.kind === 'data')
    assert.deepEqual(
      own.map(({ offsetBytes, sizeBytes }) => [offsetBytes / 512, sizeBytes / 512]),
      [
        [0, 3],
        [7, 3],
        [4095, 2],
        [4096 + 17, 1],
        [3 * 4096 + 4095, 1],
      ],
    )
    ran++
  }
  assert.equal(ran, 2)
})

test('zero and whole blocks of a differencing VHDX hide the parent', async () => {
  const parentContent = randomBytes(SIZE_BYTES)
  const full = randomBytes(2 * MIB)
  const request = { format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: SIZE_BYTES } as const
  const { file, plan } = plannedFile(request, parentContent)
  assert.ok(plan.format === 'vhdx')
  const child = differencingVhdx({
    sizeBytes: SIZE_BYTES,
    parentLinkId: plan.dataWriteId,
    parentName: 'parent.vhdx',
    sectors: new Map(),
    zeroBlocks: [1],
    fullBlocks: new Map([[2, full]]),
  })
  const content = Buffer.from(parentContent)
  content.fill(0, 2 * MIB, 4 * MIB)
  content.set(full, 4 * MIB)
  const disk = await openDisk(bufferSource(child), { resolveParent: async () => bufferSource(file) })
  await assertSameContent(disk, bufferSource(content))
})

test('reads zeros where a child is larger than its parent', async () => {
  const { file, plan } = plannedFile(
    { format: 'vhd', allocation: 'dynamic', virtualSizeBytes: MIB },
    Buffer.alloc(MIB, 7),
  )
  const child = differencingVhd({
    sizeBytes: 3 * MIB,
    parentId: plan.diskId,
    parentName: 'parent.vhd',
    sectors: new Map([[2050, Buffer.alloc(512, 9)]]),
  })
  const disk = await openDisk(bufferSource(child), { resolveParent: async () => bufferSource(file) })
  const expected = Buffer.concat([Buffer.alloc(MIB, 7), Buffer.alloc(2 * MIB)])
  expected.fill(9, MIB + 1024, MIB + 1536)
  assert.ok((await readBytes(disk, 0, 3 * MIB)).equals(expected))
})

test('refuses a differencing disk without its parent, and one with another parent', async () => {
  let ran = 0
  for (const { child, format } of differencingFamilies(SIZE_BYTES)) {
    const source = bufferSource(child)
    await assert.rejects(openDisk(source), { code: 'parent-missing' })
    await assert.rejects(openDisk(source, { resolveParent: async () => undefined }), {
      code: 'parent-missing',
    })
    const other = plannedFile(
      { format, allocation: 'dynamic', virtualSizeBytes: SIZE_BYTES },
      Buffer.alloc(SIZE_BYTES),
    )
    const resolveParent = async (): Promise<ByteSource> => bufferSource(other.file)
    await assert.rejects(openDisk(source, { resolveParent }), { code: 'parent-mismatch' })
    ran++
  }
  assert.equal(ran, 2)
})

test('refuses a chain of disks that leads back to itself', async () => {
  const id = randomGuid()
  const ring = differencingVhd({
    sizeBytes: MIB,
    parentId: id,
    parentName: 'self.vhd',
    uniqueId: id,
    sectors: new Map(),
  })
  const resolveParent = async (): Promise<ByteSource> => bufferSource(ring)
  await assert.rejects(openDisk(bufferSource(ring), { resolveParent }), { code: 'corrupt' })
})
