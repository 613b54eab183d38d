import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { differencingVhd } from '../testing/differencing-vhd.ts'
import { hasLibvhdi, seenByLibvhdi } from '../testing/mount-with-libvhdi.ts'
import { askOracle } from '../testing/oracle.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writers } from '../testing/write-disk.ts'
import { openDiskFile } from './open-disk-file.ts'

test('libvhdi sees in every disk of ours what was written, with sectors of 4096 bytes too', async (t) => {
  if (!hasLibvhdi(t)) return
  const directory = await temporaryDirectory(t)
  const virtualSizeBytes = 21 * MIB + 4096
  const content = await sparseContent(t, directory, virtualSizeBytes, [
    { offsetBytes: 0, sizeBytes: 512 },
    { offsetBytes: 5 * MIB, sizeBytes: 2 * MIB },
    { offsetBytes: virtualSizeBytes - 512, sizeBytes: 512 },
  ])
  const variants = [
    { format: 'vhd', allocation: 'dynamic' },
    { format: 'vhd', allocation: 'dynamic', blockSizeBytes: MIB / 2 },
    { format: 'vhd', allocation: 'fixed' },
    { format: 'vhdx', allocation: 'dynamic' },
    { format: 'vhdx', allocation: 'dynamic', blockSizeBytes: 8 * MIB },
    { format: 'vhdx', allocation: 'dynamic', logicalSectorSizeBytes: 4096 },
    { format: 'vhdx', allocation: 'fixed' },
  ] as const
  let ran = 0
  for (const variant of variants) {
    const path = join(directory, `${ran}.${variant.format}`)
    await writers.inOrder(path, planDisk({ ...variant, virtualSizeBytes, data: content.data }), content)
    await seenByLibvhdi(path, (disk) => assertSameContent(disk, content.source))
    const sectorSize = 'logicalSectorSizeBytes' in variant ? variant.logicalSectorSizeBytes : 512
    const info = askOracle('vhdiinfo', path).text
    assert.match(info, new RegExp(`Bytes per sector\\s*: ${sectorSize} bytes`))
    assert.match(info, new RegExp(`Disk type\\s*: ${variant.allocation}`, 'i'))
    ran++
  }
  assert.equal(ran, variants.length)
})

test('libvhdi sees in a differencing VHDX what we see', async (t) => {
  if (!hasLibvhdi(t)) return
  const directory = await temporaryDirectory(t)
  const family = differencingFamilies(8 * MIB).find(({ format }) => format === 'vhdx')
  assert.ok(family)
  await writeFile(join(directory, 'parent.vhdx'), family.parent)
  await writeFile(join(directory, 'child.vhdx'), family.child)
  await seenByLibvhdi(join(directory, 'child.vhdx'), (disk) =>
    assertSameContent(disk, bufferSource(family.content)),
  )
})

/** libvhdi 20210425 takes the eight sectors of a byte of the bitmap together, so that is how they come here. */
test('libvhdi sees in a differencing VHD what we see', async (t) => {
  if (!hasLibvhdi(t)) return
  const directory = await temporaryDirectory(t)
  const virtualSizeBytes = 8 * MIB
  const { file, plan } = plannedFile(
    { format: 'vhd', allocation: 'dynamic', virtualSizeBytes },
    randomBytes(virtualSizeBytes),
  )
  const groups = [0, 2, 511, 512, 1027, 2047]
  const sectors = new Map(
    groups.flatMap((group) =>
      Array.from({ length: 8 }, (_, index) => [group * 8 + index, randomBytes(512)] as const),
    ),
  )
  const child = differencingVhd({
    sizeBytes: virtualSizeBytes,
    parentId: plan.diskId,
    parentName: 'parent.vhd',
    sectors,
  })
  await writeFile(join(directory, 'parent.vhd'), file)
  await writeFile(join(directory, 'child.vhd'), child)
  const ours = await openDiskFile(join(directory, 'child.vhd'))
  t.after(() => ours.close())
  await seenByLibvhdi(join(directory, 'child.vhd'), (disk) => assertSameContent(disk, ours))
})

test('reads what QEMU makes as libvhdi reads it', async (t) => {
  if (!hasLibvhdi(t)) return
  const directory = await temporaryDirectory(t)
  const path = join(directory, 'disk.vhdx')
  assert.equal(askOracle('qemu-img', 'create', '-q', '-f', 'vhdx', path, '48M').status, 0)
  assert.equal(askOracle('qemu-io', '-f', 'vhdx', '-c', 'write -P 0x5a 9M 3M', path).status, 0)
  const ours = await openDiskFile(path)
  t.after(() => ours.close())
  await seenByLibvhdi(path, (disk) => assertSameContent(disk, ours))
})
