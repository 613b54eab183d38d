import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource, readBytes } from './byte-source.ts'
import { composeSource, sliceSource } from './compose-source.ts'

const parts = [
  { offsetBytes: 50, source: bufferSource(Buffer.alloc(20, 2)) },
  { offsetBytes: 3, bytes: Buffer.alloc(7, 1) },
  { offsetBytes: 70, bytes: Buffer.alloc(30, 3) },
]
const expected = Buffer.concat([
  Buffer.alloc(3),
  Buffer.alloc(7, 1),
  Buffer.alloc(40),
  Buffer.alloc(20, 2),
  Buffer.alloc(30, 3),
])

test('reads parts where they are and zeros elsewhere', async () => {
  const whole = composeSource(100, parts)
  const property = fc.asyncProperty(fc.nat(100), fc.nat(100), async (one, other) => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    const target = Buffer.alloc(to - from, 0xee)
    await whole.read(target, from)
    assert.deepEqual(target, expected.subarray(from, to))
    assert.deepEqual(
      await readBytes(sliceSource(whole, { offsetBytes: from, sizeBytes: to - from }), 0, to - from),
      target,
    )
  })
  await fc.assert(property, { numRuns: 100 })
})

test('refuses parts that overlap or leave the whole, and reads outside', async () => {
  assert.throws(() => composeSource(99, parts), { code: 'invalid-argument' })
  assert.throws(() => composeSource(100, [...parts, { offsetBytes: 9, bytes: Buffer.alloc(1) }]), {
    code: 'invalid-argument',
  })
  await assert.rejects(readBytes(composeSource(100, parts), 99, 2), { code: 'truncated' })
  const slice = sliceSource(composeSource(100, parts), { offsetBytes: 10, sizeBytes: 10 })
  await assert.rejects(readBytes(slice, 5, 6), { code: 'truncated' })
})

test('waits for all parts before it passes on the failure of one', async () => {
  let finished = false
  const late = Promise.withResolvers<void>()
  const slow = {
    sizeBytes: 10,
    read: async () => {
      await late.promise
      finished = true
    },
  }
  const broken = { sizeBytes: 10, read: () => Promise.reject(new Error('unreadable')) }
  const whole = composeSource(20, [
    { offsetBytes: 0, source: broken },
    { offsetBytes: 10, source: slow },
  ])
  const reading = whole.read(Buffer.alloc(20), 0)
  late.resolve()
  await assert.rejects(reading, /unreadable/)
  assert.ok(finished)
})
