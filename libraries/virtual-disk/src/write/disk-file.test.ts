import assert from 'node:assert/strict'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { type ByteSource, openFile } from '../byte-source.ts'
import { checkDisk } from '../check/check-disk.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { MIB } from '../extent.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { openDisk } from '../read/open-disk.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import type { WriteShare } from '../testing/write-worker.ts'
import { beginDiskFile, finishDiskFile, writeDiskData, writeDiskFile } from './disk-file.ts'

const SIZE_BYTES = 64 * MIB
/** Chunks of 1 MiB, of which every third is zero and not written. */
const data = Array.from({ length: 64 }, (_, index) => ({ offsetBytes: index * MIB, sizeBytes: MIB })).filter(
  (_, index) => index % 3 > 0,
)

function plans(): DiskPlan[] {
  return (['vhd', 'vhdx'] as const).flatMap((format) =>
    (['dynamic', 'fixed'] as const).map((allocation) =>
      planDisk({ format, allocation, virtualSizeBytes: SIZE_BYTES, data }),
    ),
  )
}

async function reopened(t: TestContext, path: string): Promise<ByteSource> {
  const file = await openFile(path)
  t.after(() => file.close())
  return file
}

test('is written by several threads at once', async (t) => {
  const directory = await temporaryDirectory(t)
  const content = await sparseContent(t, directory, SIZE_BYTES, data)
  let ran = 0
  for (const plan of plans()) {
    const path = join(directory, `${plan.allocation}.${plan.format}`)
    const handle = await open(path, 'w')
    t.after(() => handle.close())
    await beginDiskFile(handle, plan)
    const threads = [0, 1, 2].map((first) => {
      const share: WriteShare = { plan, fd: handle.fd, contentPath: content.path, data, first, stride: 3 }
      return new Worker(new URL('../testing/write-worker.ts', import.meta.url), { workerData: share })
    })
    const codes = await Promise.all(threads.map((thread) => once(thread, 'exit')))
    assert.deepEqual(codes, [[0], [0], [0]])
    await finishDiskFile(handle, plan)
    const file = await reopened(t, path)
    assert.deepEqual(await checkDisk(file), [])
    await assertSameContent(await openDisk(file), content.source)
    ran++
  }
  assert.equal(ran, 4)
})

test('is no valid disk before it is finished', async (t) => {
  const directory = await temporaryDirectory(t)
  let ran = 0
  for (const plan of plans()) {
    const path = join(directory, `${plan.allocation}.${plan.format}`)
    const handle = await open(path, 'w')
    t.after(() => handle.close())
    await beginDiskFile(handle, plan)
    writeDiskData(handle.fd, plan, MIB, Buffer.alloc(MIB, 1))
    const file = await reopened(t, path)
    assert.equal(file.sizeBytes, plan.fileSizeBytes)
    await assert.rejects(openDisk(file))
    assert.ok((await checkDisk(file)).some(({ severity }) => severity === 'error'))
    await finishDiskFile(handle, plan)
    assert.deepEqual(await checkDisk(file), [])
    ran++
  }
  assert.equal(ran, 4)
})

test('replaces what the file held before', async (t) => {
  const directory = await temporaryDirectory(t)
  const path = join(directory, 'disk.vhdx')
  const handle = await open(path, 'w+')
  t.after(() => handle.close())
  await handle.write(Buffer.alloc(9 * MIB, 0xff))
  const plan = planDisk({ format: 'vhdx', allocation: 'fixed', virtualSizeBytes: 4 * MIB, data: [] })
  await beginDiskFile(handle, plan)
  await finishDiskFile(handle, plan)
  const disk = await openDisk(await reopened(t, path))
  const zero = await sparseContent(t, directory, 4 * MIB, [])
  await assertSameContent(disk, zero.source)
})

test('refuses data for blocks that were not planned, but not zeros', async (t) => {
  const handle = await open(join(await temporaryDirectory(t), 'disk.vhdx'), 'w')
  t.after(() => handle.close())
  const only = [{ offsetBytes: 0, sizeBytes: 1 }]
  const plan = planDisk({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: SIZE_BYTES, data: only })
  await beginDiskFile(handle, plan)
  const bytes = Buffer.alloc(4 * MIB)
  writeDiskData(handle.fd, plan, MIB, bytes)
  bytes.writeUInt8(1, 3 * MIB)
  const refusal = { code: 'block-not-planned', offsetBytes: 4 * MIB }
  assert.throws(() => writeDiskData(handle.fd, plan, MIB, bytes), refusal)
  for (const offset of [-1, SIZE_BYTES - 1]) {
    assert.throws(() => writeDiskData(handle.fd, plan, offset, Buffer.alloc(2)), { code: 'invalid-argument' })
  }
})

test('stays unfinished when its content cannot be read or the writing is cancelled', async (t) => {
  const directory = await temporaryDirectory(t)
  const broken: ByteSource = {
    sizeBytes: SIZE_BYTES,
    read: async (_, position) => {
      if (position >= 8 * MIB) throw new Error('the vault went away')
    },
  }
  const controller = new AbortController()
  controller.abort(new Error('cancelled'))
  let ran = 0
  for (const plan of plans()) {
    const path = join(directory, `${ran}`)
    const handle = await open(path, 'w')
    t.after(() => handle.close())
    await assert.rejects(writeDiskFile(handle, plan, broken), /the vault went away/)
    await assert.rejects(openDisk(await reopened(t, path)))
    const cancelled = writeDiskFile(handle, plan, broken, { signal: controller.signal })
    await assert.rejects(cancelled, /cancelled/)
    ran++
  }
  assert.equal(ran, 4)
})
