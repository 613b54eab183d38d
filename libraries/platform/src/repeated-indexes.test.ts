import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatedIndexes } from './repeated-indexes.ts'

test('finds every place that repeats an earlier one', () => {
  assert.deepEqual(repeatedIndexes([]), [])
  assert.deepEqual(repeatedIndexes(['a', 'b', 'A', 1, '1']), [])
  assert.deepEqual(repeatedIndexes(['a', 'b', 'a', 'c', 'b', 'a']), [2, 4, 5])
})
