import assert from 'node:assert/strict'
import { mkdir, readdir, readlink, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { randomGuid } from '../guid.ts'
import { type DifferencingFamily, differencingFamilies } from '../testing/differencing-families.ts'
import { differencingVhd } from '../testing/differencing-vhd.ts'
import { differencingVhdx } from '../testing/differencing-vhdx.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { formatOfName, openDiskFile } from './open-disk-file.ts'

const SIZE_BYTES = 8 * 1024 * 1024
const families = differencingFamilies(SIZE_BYTES)

async function writeFamily(t: TestContext, { format, parent, child }: DifferencingFamily): Promise<string> {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, `parent.${format}`), parent)
  await writeFile(join(directory, `child.${format}`), child)
  return directory
}

/** How many files below the directory this process has open. */
async function openFilesBelow(directory: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd', { withFileTypes: true })
  const paths = await Promise.all(
    descriptors.map(({ name }) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(directory)).length
}

test('opens a differencing disk with the parent beside it, and closes both', async (t) => {
  let ran = 0
  for (const family of families) {
    const directory = await writeFamily(t, family)
    const disk = await openDiskFile(join(directory, `child.${family.format}`))
    assert.equal(disk.allocation, 'differencing')
    await assertSameContent(disk, bufferSource(family.content))
    assert.equal(await openFilesBelow(directory), 2)
    await disk.close()
    assert.equal(await openFilesBelow(directory), 0)
    ran++
  }
  assert.equal(ran, 2)
})

test('looks for parents only where it was told to, by their names alone', async (t) => {
  const [family] = families
  assert.ok(family)
  const directory = await writeFamily(t, family)
  const elsewhere = join(directory, 'elsewhere')
  await mkdir(elsewhere)
  await rename(join(directory, 'parent.vhd'), join(elsewhere, 'parent.vhd'))
  const path = join(directory, 'child.vhd')
  await assert.rejects(openDiskFile(path), { code: 'parent-missing' })
  assert.equal(await openFilesBelow(directory), 0)
  const disk = await openDiskFile(path, { parentDirectories: [directory, elsewhere] })
  await assertSameContent(disk, bufferSource(family.content))
  await disk.close()
})

test('a parent whose name no file can have is missing', async (t) => {
  const directory = await temporaryDirectory(t)
  await mkdir(join(directory, 'folder.vhd'))
  const names = ['', '.', '..', 'folder.vhd', 'a\0b.vhd', 'ü'.repeat(200)]
  for (const parentName of names) {
    const facts = { sizeBytes: SIZE_BYTES, parentName, sectors: new Map() }
    await writeFile(join(directory, 'child.vhd'), differencingVhd({ ...facts, parentId: randomGuid() }))
    await writeFile(join(directory, 'child.vhdx'), differencingVhdx({ ...facts, parentLinkId: randomGuid() }))
    for (const child of ['child.vhd', 'child.vhdx'])
      await assert.rejects(openDiskFile(join(directory, child)), { code: 'parent-missing' }, parentName)
  }
})

test('takes the format from the name, unless told another', async (t) => {
  assert.deepEqual(['a.VHD', 'b.vhdx', 'c.avhdx', 'd.img', 'e.raw', 'f.qcow2', 'g'].map(formatOfName), [
    'vhd',
    'vhdx',
    'vhdx',
    'raw',
    'raw',
    undefined,
    undefined,
  ])
  const [{ parent } = { parent: Buffer.alloc(0) }] = families
  const directory = await temporaryDirectory(t)
  for (const name of ['disk.raw', 'disk', 'disk.vhdx']) await writeFile(join(directory, name), parent)
  const raw = await openDiskFile(join(directory, 'disk.raw'))
  assert.equal(raw.format, 'raw')
  assert.deepEqual(await Array.fromAsync(raw.extents()), [
    { offsetBytes: 0, sizeBytes: parent.byteLength, kind: 'data' },
  ])
  await assertSameContent(raw, bufferSource(parent))
  await raw.close()
  const guessed = await openDiskFile(join(directory, 'disk'))
  assert.equal(guessed.format, 'vhd')
  await guessed.close()
  await assert.rejects(openDiskFile(join(directory, 'disk.vhdx')), { code: 'unrecognised-format' })
  const disk = await openDiskFile(join(directory, 'disk.vhdx'), { format: 'vhd' })
  assert.equal(disk.sizeBytes, SIZE_BYTES)
  await disk.close()
  await assert.rejects(openDiskFile(join(directory, 'nothing.vhd')), { code: 'ENOENT' })
})
