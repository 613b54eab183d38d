import assert from 'node:assert/strict'
import {
  closeSync,
  openSync,
  readFileSync,
  statfsSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allocateAligned } from '@palisade/vault/chunks'
import { fileSystems } from '../system-calls/file-system-types.ts'
import { linuxFileCalls } from '../system-calls/linux-files.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { cachedMiB } from '../testing/volumes/volume-image.ts'
import { openDiskFiles } from './disk-file.ts'

const mebibyte = 1024 * 1024
/** More than may stay in the cache. */
const sizeMiB = 256
/** Those that tell how far what was written has come; a file in memory never leaves it. */
const leavesCache: ReadonlySet<number> = new Set([fileSystems.ext, fileSystems.xfs, fileSystems.btrfs])

/** Whether one can say here what is in the cache and is not to be; skips the test otherwise. */
async function tellsOfCache(t: TestContext): Promise<boolean> {
  if (!hasTools(t, 'fincore')) return false
  const isTold = (await linuxFileCalls()) !== undefined && leavesCache.has(statfsSync(tmpdir()).type)
  if (!isTold) t.skip('the system of the tests does not tell how far on its way to the disk a file is')
  return isTold
}

async function emptyFile(t: TestContext, sizeBytes: number, verifiesFromDisk: boolean) {
  const path = join(temporaryDirectory(t), 'disk.vhdx')
  writeFileSync(path, '')
  truncateSync(path, sizeBytes)
  const { data: file, holes } = await openDiskFiles(path, verifiesFromDisk)
  await holes.close()
  return { path, file }
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
    if (!(await tellsOfCache(t))) return
    const { path, file } = await emptyFile(t, sizeMiB * mebibyte, verifiesFromDisk)
    const buffer = allocateAligned(mebibyte)
    for (let index = 0; index < sizeMiB; index++) {
      await file.write(buffer.fill(1), index * mebibyte)
      await file.read(buffer, index * mebibyte)
    }
    const left = cachedMiB(path)
    assert.ok(left <= 65, `${left} MiB are in the cache`)
    await file.close()
  })
}

test('through the cache: waits for a disk that is slower than what is read back', async (t) => {
  if (!(await tellsOfCache(t))) return
  const { path, file } = await emptyFile(t, sizeMiB * mebibyte, false)
  const buffer = allocateAligned(mebibyte)
  // What another writes is not on its way to the disk when it is read.
  const other = openSync(path, 'r+')
  for (let index = 0; index < sizeMiB; index++) writeSync(other, buffer, 0, mebibyte, index * mebibyte)
  closeSync(other)
  for (let index = 0; index < sizeMiB; index++) await file.read(buffer, index * mebibyte)
  const left = cachedMiB(path)
  assert.ok(left <= 65, `${left} MiB are in the cache`)
  // The rest as well, once it is on the disk.
  run('sync', path)
  await file.close()
  assert.ok(cachedMiB(path) < 1)
})

test('a disk that cannot be opened twice is not left open once', async (t) => {
  if (process.platform !== 'linux' || !hasTools(t, 'prlimit')) return
  const path = join(temporaryDirectory(t), 'disk.vhdx')
  writeFileSync(path, '')
  for (const verifiesFromDisk of [false, true]) {
    const { data, holes } = await openDiskFiles(path, verifiesFromDisk)
    await Promise.all([data.close(), holes.close()])
    // Of the descriptors that are needed there is each time one more.
    for (let spare = 0; spare < (verifiesFromDisk ? 4 : 3); spare++) {
      await whileFewDescriptors(path, spare, async () => {
        await assert.rejects(openDiskFiles(path, verifiesFromDisk), { code: 'EMFILE' })
      })
    }
  }
})

/** Does something while the process can open so many files more, and expects that it then still can. */
async function whileFewDescriptors(path: string, spare: number, action: () => Promise<void>): Promise<void> {
  const limit = (soft: string) => run('prlimit', '--pid', `${process.pid}`, `--nofile=${soft}:`)
  const before = run('prlimit', '--pid', `${process.pid}`, '--nofile', '-o', 'SOFT', '--noheadings').trim()
  const descriptors: number[] = []
  limit('256')
  try {
    fill(descriptors, path)
    for (const descriptor of descriptors.splice(-spare, spare)) closeSync(descriptor)
    await action()
    assert.equal(fill(descriptors, path), spare)
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
    limit(before)
  }
}

/** Opens a file until nothing more can be opened, and says how often that went. */
function fill(descriptors: number[], path: string): number {
  for (let opened = 0; ; opened++) {
    try {
      descriptors.push(openSync(path, 'r'))
    } catch {
      return opened
    }
  }
}
