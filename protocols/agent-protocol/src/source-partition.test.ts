import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPartition } from './source-partition.ts'

test('a path may end in the number of a partition, and names it once', () => {
  assert.deepEqual(withPartition({ path: '/images/web.raw#2' }), { path: '/images/web.raw', partition: 2 })
  assert.deepEqual(withPartition({ path: '/images/web.raw#2', partition: 2 }), {
    path: '/images/web.raw',
    partition: 2,
  })
  assert.deepEqual(withPartition({ path: '/images/web#2.raw' }), { path: '/images/web#2.raw' })
  assert.throws(() => withPartition({ path: '/images/web.raw#2', partition: 3 }), /names partition 2/)
  assert.throws(() => withPartition({ path: '/images/web.raw#0' }), /counted from 1/)
})
