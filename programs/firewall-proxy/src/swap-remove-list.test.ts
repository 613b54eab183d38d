import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SwapRemoveList } from './swap-remove-list.ts'

test('what is under way is known until it ends, in whichever order', () => {
  const underWay = new SwapRemoveList<{ place: number; readonly name: number }>()
  const items = Array.from({ length: 20 }, (_, name) => ({ place: -1, name }))
  for (const item of items) underWay.add(item)
  // 7 and 20 have no common divisor, so that each comes once.
  for (let count = 0; count < items.length; count++) {
    const item = items[(count * 7 + 3) % items.length]
    assert.ok(item)
    underWay.delete(item)
    underWay.delete(item)
    const names = underWay.all().map(({ name }) => name)
    assert.equal(underWay.size, items.length - count - 1)
    assert.equal(new Set(names).size, underWay.size)
    assert.ok(!names.includes(item.name))
  }
})

test('what was never there is not taken away for something else', () => {
  const underWay = new SwapRemoveList<{ place: number }>()
  const call = { place: 0 }
  underWay.add(call)
  underWay.delete({ place: 0 })
  assert.deepEqual(underWay.all(), [call])
})
