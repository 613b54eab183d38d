import assert from 'node:assert/strict'
import { open, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { attachLoop } from '../testing/volumes/mount.ts'
import { findDataRegions } from './data-regions.ts'
import { fileSystems } from './file-system-types.ts'

const mebibyte = 1024 * 1024
const beyond32Bits = 5 * 1024 ** 3

async function sparseFile(path: string, sizeBytes: number, places: readonly number[]): Promise<string> {
  const file = await open(path, 'w')
  await file.truncate(sizeBytes)
  for (const place of places) await file.write(Buffer.alloc(mebibyte, 1), 0, mebibyte, place)
  await file.close()
  return path
}

test('what of a file is data is told without its holes, also beyond 4 GiB and for a part of it', async (t) => {
  const folder = temporaryDirectory(t)
  const { type } = await statfs(folder)
  if (!new Set<number>(Object.values(fileSystems)).has(type)) {
    t.skip('the file system of the tests is not asked for holes')
    return
  }
  const path = await sparseFile(join(folder, 'image'), beyond32Bits + 5 * mebibyte + 77, [
    mebibyte,
    beyond32Bits,
  ])
  const regionsOf = async (offsetBytes: number, sizeBytes: number) => {
    const regions = await findDataRegions(path, { offsetBytes, sizeBytes })
    assert.ok(regions)
    const extents = await Array.fromAsync(regions.extents())
    assert.deepEqual(await Array.fromAsync(regions.extents()), extents, 'may be gone through again')
    await regions.close()
    return extents.map((extent) => [extent.offsetBytes, extent.sizeBytes])
  }
  assert.deepEqual(await regionsOf(0, beyond32Bits + 5 * mebibyte + 77), [
    [mebibyte, mebibyte],
    [beyond32Bits, mebibyte],
  ])
  assert.deepEqual(await regionsOf(beyond32Bits + 4096, 3 * mebibyte), [[0, mebibyte - 4096]])
  assert.deepEqual(await regionsOf(3 * mebibyte, mebibyte), [])
})

test('what is missing of a file that was cut meanwhile is no hole', async (t) => {
  const sizeBytes = 64 * mebibyte
  const path = await sparseFile(join(temporaryDirectory(t), 'image'), sizeBytes, [mebibyte, 40 * mebibyte])
  const regions = await findDataRegions(path, { offsetBytes: mebibyte, sizeBytes: sizeBytes - mebibyte })
  if (regions === undefined) {
    t.skip('the file system of the tests is not asked for holes')
    return
  }
  const coming = regions.extents()[Symbol.asyncIterator]()
  assert.deepEqual((await coming.next()).value, { offsetBytes: 0, sizeBytes: mebibyte })
  await truncate(path, 10 * mebibyte)
  assert.deepEqual((await coming.next()).value, { offsetBytes: mebibyte, sizeBytes: 62 * mebibyte })
  await regions.close()
})

test('a block device is not asked for holes', async (t) => {
  const path = await sparseFile(join(temporaryDirectory(t), 'disk'), 8 * mebibyte, [])
  const device = attachLoop(t, path)
  if (device === undefined) return
  assert.equal(await findDataRegions(device, { offsetBytes: 0, sizeBytes: 8 * mebibyte }), undefined)
})
