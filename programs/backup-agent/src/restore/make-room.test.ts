import assert from 'node:assert/strict'
import { open, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { beginDiskFile, planDisk } from '@palisade/virtual-disk'
import { fileSystems } from '../system-calls/file-system-types.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { makeRoom } from './make-room.ts'

const mebibyte = 1024 * 1024

/** An empty disk of 64 MiB whose plan has room for these of its mebibytes. */
async function beginDisk(t: TestContext, format: 'vhd' | 'vhdx', stored: readonly number[]) {
  const path = join(temporaryDirectory(t), `disk.${format}`)
  const extents = stored.map((index) => ({ offsetBytes: index * mebibyte, sizeBytes: mebibyte }))
  const plan = planDisk({ format, allocation: 'dynamic', virtualSizeBytes: 64 * mebibyte, data: extents })
  const file = await open(path, 'wx+')
  t.after(() => file.close())
  await beginDiskFile(file, plan)
  const allocatedBytes = async () => (await stat(path)).blocks * 512
  const begunBytes = await allocatedBytes()
  const madeBytes = async () => (await allocatedBytes()) - begunBytes
  return { path, plan, extents, file, madeBytes }
}

for (const format of ['vhd', 'vhdx'] as const) {
  test(`what will be written to a ${format} has room before, and nothing else; the file stays zeros`, async (t) => {
    const { path, plan, extents, file, madeBytes } = await beginDisk(t, format, [0, 1, 2, 3, 30, 61])
    if ((await statfs(path)).type !== fileSystems.ext) {
      t.skip('the file system of the tests is given no room beforehand')
      return
    }
    const before = await file.readFile()
    await makeRoom(file, path, plan, extents, new AbortController().signal)
    const allocated = await madeBytes()
    assert.ok(allocated >= 6 * mebibyte - 64 * 1024 && allocated < 7 * mebibyte, `${allocated} bytes`)
    const after = Buffer.alloc(before.length)
    await file.read(after, 0, after.length, 0)
    assert.ok(after.equals(before))
  })
}

test('an end that comes before is obeyed', async (t) => {
  const { path, plan, extents, file, madeBytes } = await beginDisk(t, 'vhdx', [0, 30])
  await makeRoom(file, path, plan, extents, AbortSignal.abort())
  assert.equal(await madeBytes(), 0)
})
