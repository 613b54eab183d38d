import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllZero } from './zero.ts'

test('finds a single set bit anywhere, in lengths around its block size', () => {
  for (const length of [0, 1, 4096, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024]) {
    const bytes = new Uint8Array(length)
    assert.ok(isAllZero(bytes))
    for (const position of [0, length >> 1, length - 1]) {
      if (position < 0 || position >= length) continue
      bytes[position] = 128
      assert.ok(!isAllZero(bytes), `position ${position} of ${length}`)
      bytes[position] = 0
    }
  }
})
