import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allocateAligned } from '@palisade/vault/chunks'
import { linuxFileCalls } from '../system-calls/linux-files.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { openDiskFile } from './disk-file.ts'

const mebibyte = 1024 * 1024

async function emptyFile(t: TestContext, sizeBytes: number, verifiesFromDisk: boolean) {
  const path = join(temporaryDirectory(t), 'disk.vhdx')
  writeFileSync(path, '')
  truncateSync(path, sizeBytes)
  return { path, file: await openDiskFile(path, verifiesFromDisk) }
}

for (const verifiesFromDisk of [false, true]) {
  const way = verifiesFromDisk ? 'past the cache' : 'through the cache'

  test(`${way}: writes where it should, at once or beside the caller, and reads up to the end`, async (t) => {
    const { path, file } = await emptyFile(t, 5 * mebibyte, verifiesFromDisk)
    const expected = Buffer.alloc(5 * mebibyte)
    const buffer = allocateAligned(mebibyte)
    for (const position of [0, 4096, 3 * mebibyte, 2 * mebibyte + 512, 4 * mebibyte]) {
      const bytes = buffer.fill(position / 512 + 1)
      if (position % 8192 === 0) await file.write(bytes, position)
      else file.writeSync(bytes, position)
      bytes.copy(expected, position)
    }
    assert.equal(await file.read(buffer, 3 * mebibyte), mebibyte)
    assert.ok(buffer.equals(expected.subarray(3 * mebibyte, 4 * mebibyte)))
    assert.equal(await file.read(buffer, 4.5 * mebibyte), mebibyte / 2)
    assert.equal(await file.read(buffer, 5 * mebibyte), 0)
    await file.close()
    assert.ok(readFileSync(path).equals(expected))
  })

  test(`${way}: little stays in the cache of what was read back`, async (t) => {
    if (!hasTools(t, 'fincore') || (await linuxFileCalls()) === undefined) return
    const sizeMiB = 256
    const { path, file } = await emptyFile(t, sizeMiB * mebibyte, verifiesFromDisk)
    const buffer = allocateAligned(mebibyte)
    for (let index = 0; index < sizeMiB; index++) await file.write(buffer.fill(1), index * mebibyte)
    const cachedMiB = () => Number(run('fincore', '--bytes', '-no', 'res', path)) / mebibyte
    const written = cachedMiB()
    if (verifiesFromDisk && written === sizeMiB) {
      t.skip('the file system of the tests knows no way past the cache')
      return
    }
    assert.equal(written, verifiesFromDisk ? 0 : sizeMiB)
    // What is not on the disk cannot leave the cache.
    run('sync', path)
    for (let index = 0; index < sizeMiB; index++) await file.read(buffer, index * mebibyte)
    const left = cachedMiB()
    assert.ok(left <= 64, `${left} MiB are in the cache`)
    await file.close()
    assert.equal(cachedMiB(), 0)
  })
}
