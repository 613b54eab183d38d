import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { nameChunk } from '@palisade/vault'
import { planDisk } from '@palisade/virtual-disk'
import { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { TaskFailure } from '../failure.ts'
import type { DiskFile } from './disk-file.ts'
import { ReadBack } from './read-back.ts'
import { VolumeFile } from './volume-file.ts'

const chunkSizeBytes = 64 * 1024
const keys = { naming: randomBytes(32), sealing: randomBytes(32) }
const chunk = randomBytes(chunkSizeBytes)
const id = nameChunk(chunk, keys.naming)

/** Looks at the first chunk of a volume in a disk's file that answers as it is told. */
async function check(expected: Uint8Array | undefined, read: DiskFile['read']): Promise<bigint> {
  const virtualSizeBytes = 8 * 1024 * 1024
  const plan = planDisk({
    format: 'vhdx',
    allocation: 'dynamic',
    virtualSizeBytes,
    data: [{ offsetBytes: 0, sizeBytes: virtualSizeBytes }],
  })
  const bytesDone = new BigInt64Array(new SharedArrayBuffer(8))
  const place = {
    plan,
    partitionOffsetBytes: 1024 * 1024,
    roomBehindBytes: 0,
    geometry: { volumeSizeBytes: 10 * chunkSizeBytes, chunkSizeBytes },
  }
  // Nothing else of it is used by who only reads.
  const file = { read } as DiskFile
  const spec = { keys, bytesDone, shownPath: '/restored/disk.vhdx' }
  const readBack = new ReadBack(new VolumeFile(file, place), spec, new AlignedBuffers())
  await readBack.check(0, expected, new AbortController().signal)
  return bytesDone[0] ?? 0n
}

/** Fills what is asked for with a content. */
function answering(content: Uint8Array): DiskFile['read'] {
  return async (target) => {
    target.set(content.subarray(0, target.byteLength))
    return target.byteLength
  }
}

const isRefusal = (why: RegExp) => (error: unknown) =>
  error instanceof TaskFailure &&
  error.code === 'VerificationFailed' &&
  error.message.startsWith('/restored/disk.vhdx is not right: ') &&
  why.test(error.message)

test('a chunk that reads back as it was is counted; one of zeros is not', async () => {
  assert.equal(await check(id, answering(chunk)), BigInt(chunkSizeBytes))
  assert.equal(await check(undefined, answering(Buffer.alloc(chunkSizeBytes))), 0n)
})

test('a chunk of which one bit differs fails the restore', async () => {
  const changed = Buffer.from(chunk)
  changed[40_000] = (changed[40_000] ?? 0) ^ 1
  await assert.rejects(check(id, answering(changed)), isRefusal(/chunk 0 does not read back/))
})

test('a chunk that should be zeros and is not fails the restore', async () => {
  const changed = Buffer.alloc(chunkSizeBytes)
  changed[chunkSizeBytes - 1] = 1
  await assert.rejects(check(undefined, answering(changed)), isRefusal(/chunk 0 does not read back/))
})

test('a file that ends early, or a disk that cannot read it, fails the restore', async () => {
  await assert.rejects(
    check(id, async () => 1000),
    isRefusal(/the file ends early/),
  )
  const unreadable = async () => {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
  }
  await assert.rejects(check(id, unreadable), isRefusal(/EIO/))
})
