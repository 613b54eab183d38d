import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { alignedLength, allocateAligned, isAligned, viewFor } from './aligned-memory.ts'
import { DirectFile } from './direct-file.ts'
import { readRange } from './read-range.ts'

const fileSizeBytes = 300_000

/** Places and lengths of which about half can go past the cache. */
const places = fc.tuple(
  fc.oneof(
    fc.integer({ min: 0, max: 60 }).map((page) => page * 4096),
    fc.integer({ min: 0, max: 250_000 }),
  ),
  fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((pages) => pages * 4096),
    fc.integer({ min: 1, max: 50_000 }),
  ),
)

test('reads what is there, wherever it is and however long', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  const content = randomBytes(fileSizeBytes)
  writeFileSync(path, content)
  const file = await DirectFile.open(path, 'read')
  const buffer = allocateAligned(64 * 1024)
  await fc.assert(
    fc.asyncProperty(places, async ([position, size]) => {
      const target = buffer.subarray(0, size)
      assert.equal(await file.read(target, position), Math.min(size, fileSizeBytes - position))
      const read = target.subarray(0, fileSizeBytes - position)
      assert.ok(read.equals(content.subarray(position, position + size)))
    }),
  )
  await file.close()
})

test('writes where it should and nowhere else, at once or beside the caller', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  const expected = Buffer.alloc(fileSizeBytes)
  writeFileSync(path, '')
  truncateSync(path, fileSizeBytes)
  const file = await DirectFile.open(path, 'read-write')
  const buffer = allocateAligned(64 * 1024)
  await fc.assert(
    fc.asyncProperty(
      places,
      fc.boolean(),
      fc.integer({ min: 1, max: 255 }),
      async ([position, size], isSync, byte) => {
        const bytes = buffer.subarray(0, Math.min(size, fileSizeBytes - position)).fill(byte)
        if (isSync) file.writeSync(bytes, position)
        else await file.write(bytes, position)
        bytes.copy(expected, position)
        assert.ok(readFileSync(path).equals(expected))
      },
    ),
  )
  await file.close()
})

test('says how much there was when the file ends early', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  writeFileSync(path, Buffer.alloc(10_000, 7))
  const file = await DirectFile.open(path, 'read')
  assert.equal(await file.read(allocateAligned(16_384).subarray(0, 16_384), 0), 10_000)
  assert.equal(await file.read(allocateAligned(4096), 12_288), 0)
  await file.close()
})

test('works where the file system knows no way past its cache', async () => {
  const file = await DirectFile.open('/proc/self/status', 'read')
  const target = allocateAligned(4096).subarray(0, 4096)
  const size = await file.read(target, 0)
  assert.match(target.toString('utf8', 0, size), /^Name:/)
  await file.close()
})

test("passes on the system's error for a file that cannot be opened", async (t) => {
  await assert.rejects(DirectFile.open(join(await temporaryFolder(t), 'missing'), 'read'), { code: 'ENOENT' })
})

test('knows what can go past the cache', () => {
  const buffer = allocateAligned(10_000)
  assert.ok(buffer.length >= 10_000)
  assert.ok(isAligned(buffer.subarray(4096, 8192), 4096))
  for (const [bytes, position] of [
    [buffer.subarray(1, 4097), 0],
    [buffer.subarray(0, 4095), 0],
    [buffer.subarray(0, 4096), 512],
    [Buffer.alloc(4096), 0],
  ] as const) {
    assert.ok(!isAligned(bytes, position))
  }
  assert.deepEqual([0, 1, 4096, 4097].map(alignedLength), [0, 4096, 4096, 8192])
})

test('reads stretches from anywhere to anywhere, into any memory', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  const content = randomBytes(fileSizeBytes)
  writeFileSync(path, content)
  const memories = [allocateAligned(fileSizeBytes + 4096), Buffer.alloc(fileSizeBytes)]
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom(...memories), async ([position, size], memory) => {
      const view = viewFor(memory, position, size)
      assert.equal(view.buffer, memory.buffer)
      assert.equal(view.length, size)
      assert.equal(await readRange(path, position, view), position + size <= fileSizeBytes)
      const end = Math.min(position + size, fileSizeBytes)
      assert.ok(content.subarray(position, end).equals(view.subarray(0, end - position)))
    }),
  )
})

test('whole pages go past the cache when the memory has room for it', () => {
  const memory = allocateAligned(64 * 1024)
  for (const position of [0, 1, 4095, 4096, 1_000_003]) {
    const view = viewFor(memory, position, 20_000)
    const headBytes = (4096 - (position % 4096)) % 4096
    assert.ok(isAligned(view.subarray(headBytes, headBytes + 8192), position + headBytes))
  }
  assert.equal(viewFor(memory, 1, memory.length).byteOffset, 0)
})
