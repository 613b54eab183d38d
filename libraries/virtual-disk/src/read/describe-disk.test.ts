import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { randomGuid } from '../guid.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { logRing, markDirty } from '../testing/dirty-vhdx.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { encodeLogEntry, putLogEntry } from '../testing/vhdx-log.ts'
import { describeDisk } from './describe-disk.ts'

const virtualSizeBytes = 5 * MIB
const content = Buffer.alloc(virtualSizeBytes)

test('says of a disk what was asked for when it was planned', async () => {
  const createdAt = new Date('2024-05-06T07:08:09Z')
  const vhd = plannedFile({ format: 'vhd', allocation: 'fixed', virtualSizeBytes, createdAt }, content)
  const vhdx = plannedFile(
    { format: 'vhdx', allocation: 'dynamic', virtualSizeBytes, blockSizeBytes: MIB },
    content,
  )
  assert.ok(vhdx.plan.format === 'vhdx')
  assert.deepEqual(await describeDisk(bufferSource(vhd.file)), {
    format: 'vhd',
    allocation: 'fixed',
    virtualSizeBytes,
    fileSizeBytes: virtualSizeBytes + 512,
    blockSizeBytes: undefined,
    logicalSectorSizeBytes: 512,
    physicalSectorSizeBytes: undefined,
    diskId: vhd.plan.diskId,
    linkId: vhd.plan.diskId,
    creator: 'win',
    createdAt,
    hasLogToReplay: false,
    parent: undefined,
  })
  assert.deepEqual(await describeDisk(bufferSource(vhdx.file), { format: 'vhdx' }), {
    format: 'vhdx',
    allocation: 'dynamic',
    virtualSizeBytes,
    fileSizeBytes: vhdx.plan.fileSizeBytes,
    blockSizeBytes: MIB,
    logicalSectorSizeBytes: 512,
    physicalSectorSizeBytes: 4096,
    diskId: vhdx.plan.diskId,
    linkId: vhdx.plan.dataWriteId,
    creator: 'Palisade',
    createdAt: undefined,
    hasLogToReplay: false,
    parent: undefined,
  })
})

test('says of a differencing disk who its parent is, without the parent', async () => {
  let ran = 0
  for (const { format, child, parent } of differencingFamilies(8 * MIB)) {
    const description = await describeDisk(bufferSource(child))
    const { linkId } = await describeDisk(bufferSource(parent))
    assert.equal(description.allocation, 'differencing')
    assert.deepEqual(description.parent?.linkIds, [linkId])
    assert.equal(description.parent?.paths[0], `.\\parent.${format}`)
    ran++
  }
  assert.equal(ran, 2)
})

test('says that a file was not closed', async () => {
  const { file } = plannedFile({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes }, content)
  const logId = randomGuid()
  putLogEntry(logRing(file), 0, encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [] }))
  markDirty(file, logId)
  assert.equal((await describeDisk(bufferSource(file))).hasLogToReplay, true)
})

test('refuses what is no disk, and another format than the one expected', async () => {
  const { file } = plannedFile({ format: 'vhd', allocation: 'dynamic', virtualSizeBytes }, content)
  await assert.rejects(describeDisk(bufferSource(Buffer.alloc(4096))), { code: 'unrecognised-format' })
  await assert.rejects(describeDisk(bufferSource(file), { format: 'vhdx' }), { code: 'unrecognised-format' })
})
