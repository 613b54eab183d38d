import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlignedBuffers } from './aligned-buffers.ts'

test('buffers come back, the smallest that is large enough first', () => {
  const buffers = new AlignedBuffers()
  const [small, large] = [buffers.take(100_000), buffers.take(1_000_000)]
  buffers.give(large)
  buffers.give(small)
  assert.equal(buffers.take(50_000), small)
  assert.equal(buffers.take(50_000), large)
  assert.notEqual(buffers.take(50_000), large)
})
