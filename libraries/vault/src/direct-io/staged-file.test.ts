import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { DirectFile } from './direct-file.ts'
import { StagedFile } from './staged-file.ts'
import { StagingMemory, stagingSizeBytes } from './staging-memory.ts'

const noise = randomBytes(3 * stagingSizeBytes)

test('the file holds what was appended, however it was cut and however much memory there is', async (t) => {
  const folder = await temporaryFolder(t)
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(stagingSizeBytes, 1_000_003, noise.length)),
    { maxLength: 8 },
  )
  let number = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(sizes, { maxLength: 3 }),
      fc.integer({ min: 0, max: 3 }),
      async (calls, buffers) => {
        const path = join(folder, `${number++}`)
        const file = await StagedFile.create(path, new StagingMemory(buffers))
        for (const call of calls) {
          const pieces = call.map((size) => Buffer.from(noise.subarray(0, size)))
          await file.append(pieces)
          for (const piece of pieces) piece.fill(0)
        }
        await file.end()
        await file.close()
        assert.ok(
          readFileSync(path).equals(Buffer.concat(calls.flat().map((size) => noise.subarray(0, size)))),
        )
      },
    ),
    { numRuns: 30 },
  )
})

test('files that are written together share the memory and give it back, finished or not', async (t) => {
  const folder = await temporaryFolder(t)
  const memory = new StagingMemory(3)
  const files = await Promise.all(
    [0, 1, 2].map((number) => StagedFile.create(join(folder, `${number}`), memory)),
  )
  for (const byte of [1, 2, 3]) {
    await Promise.all(files.map((file) => file.append([Buffer.alloc(1_500_001, byte)])))
  }
  await files[0]?.end()
  for (const file of files) await file.close()
  const expected = Buffer.concat([1, 2, 3].map((byte) => Buffer.alloc(1_500_001, byte)))
  assert.ok(readFileSync(join(folder, '0')).equals(expected))
  const all = [memory.take(), memory.take(), memory.take()]
  assert.equal(new Set(all).size, 3)
  assert.ok(!all.includes(undefined))
  assert.equal(memory.take(), undefined)
})

test('a write that fails beside the caller fails the end, and closing still works', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  const memory = new StagingMemory(2)
  const file = await StagedFile.create(path, memory)
  t.mock.method(DirectFile.prototype, 'write', async () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
  })
  await file.append([noise.subarray(0, stagingSizeBytes)])
  await assert.rejects(file.end(), { code: 'ENOSPC' })
  await file.close()
  assert.notEqual(memory.take(), undefined)
  assert.notEqual(memory.take(), undefined)
})

test('closing twice closes nothing that was opened in between', async (t) => {
  const folder = await temporaryFolder(t)
  const file = await StagedFile.create(join(folder, 'file'), new StagingMemory(2))
  await file.append([noise])
  await file.end()
  await file.close()
  const path = join(folder, 'another')
  writeFileSync(path, 'kept')
  const others = [0, 1, 2, 3].map(() => openSync(path, 'r'))
  await file.close()
  for (const other of others) {
    assert.equal(readFileSync(other, 'utf8'), 'kept')
    closeSync(other)
  }
})

test('never takes the place of a file that is there', async (t) => {
  const path = join(await temporaryFolder(t), 'file')
  writeFileSync(path, 'before')
  await assert.rejects(StagedFile.create(path, new StagingMemory(1)), { code: 'EEXIST' })
  assert.equal(readFileSync(path, 'utf8'), 'before')
})
