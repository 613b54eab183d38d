import assert from 'node:assert/strict'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { type PatchedChunk, PatchedChunks } from './patched-chunks.ts'

const absent = 2 ** 32 - 1

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

const entries = fc.uniqueArray(
  fc.record({
    position: fc.integer({ min: 0, max: absent - 1 }),
    base: bytes(32),
    patch: bytes(32),
    map: bytes(16),
  }),
  { selector: ({ position }) => position, maxLength: 200 },
)

const plain = (chunks: Iterable<PatchedChunk>) =>
  [...chunks].map(({ position, base, patch, map }) => ({
    position,
    base: Uint8Array.from(base),
    patch: Uint8Array.from(patch),
    map: Uint8Array.from(map),
  }))

const entry = (position: number): PatchedChunk => ({
  position,
  base: Buffer.alloc(32, 1),
  patch: Buffer.alloc(32, 2),
  map: Buffer.alloc(16, 3),
})

test('patched chunks are found as they were added, whatever their order, and come in order from a file', async (t) => {
  const path = join(temporaryDirectory(t), 'patches')
  await fc.assert(
    fc.asyncProperty(entries, async (added) => {
      const patched = new PatchedChunks()
      for (const one of added) patched.add(one)
      await patched.writeTo(path)
      assert.equal(statSync(path).size, 84 * added.length)
      const read = await PatchedChunks.readFrom(path)
      const ascending = added.toSorted((one, other) => one.position - other.position)
      for (const chunks of [patched, read]) {
        assert.equal(chunks.count, added.length)
        assert.deepEqual(plain(chunks), plain(ascending))
        for (const one of added) {
          const chunk = chunks.find(one.position)
          assert.deepEqual(
            plain(chunk === undefined ? [] : [{ ...chunk, position: one.position }]),
            plain([one]),
          )
        }
        assert.equal(chunks.find(absent), undefined)
      }
      read.add(entry(absent))
      assert.equal(read.count, added.length + 1)
    }),
    { numRuns: 100 },
  )
})

test('an entry of a file is the position, the ids of base and patch, and the map', async (t) => {
  const path = join(temporaryDirectory(t), 'patches')
  const patched = new PatchedChunks()
  patched.add(entry(0x01020304))
  await patched.writeTo(path)
  const expected = [Buffer.from([4, 3, 2, 1]), Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(16, 3)]
  assert.deepEqual(readFileSync(path), Buffer.concat(expected))
})

test('a file that is cut off, or names a position twice, is refused', async (t) => {
  const path = join(temporaryDirectory(t), 'patches')
  const patched = new PatchedChunks()
  for (const position of [1, 2]) patched.add(entry(position))
  await patched.writeTo(path)
  const whole = readFileSync(path)
  truncateSync(path, 100)
  await assert.rejects(PatchedChunks.readFrom(path), /cut off/)
  writeFileSync(path, Buffer.concat([whole, whole]))
  await assert.rejects(PatchedChunks.readFrom(path), /chunk 1 is patched twice/)
})

test('there are 32,768 patched chunks at most, one at each position', () => {
  const patched = new PatchedChunks()
  for (let position = 0; position < 32_768; position++) patched.add(entry(position))
  assert.throws(() => patched.add(entry(32_768)), /more than 32768 chunks are patched/)
  assert.throws(() => patched.add(entry(7)), /patched twice/)
  assert.equal(patched.count, 32_768)
})
