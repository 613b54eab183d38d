import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('keeps what was used lately and forgets the rest', () => {
  const map = new RecentMap<number, string>(3)
  for (const key of [1, 2, 3]) map.set(key, `v${key}`)
  map.set(4, 'v4')
  assert.equal(map.get(1), 'v1', 'is used, so it stays')
  map.set(5, 'v5')
  map.set(6, 'v6')
  assert.equal(map.get(1), 'v1')
  assert.equal(map.get(2), undefined)
  assert.equal(map.get(6), 'v6')
})

test('never holds more than twice its size', () => {
  const map = new RecentMap<number, number>(10)
  for (let key = 0; key < 1000; key++) map.set(key, key)
  const keysInMap = Array.from({ length: 1000 }, (_, key) => key).filter((key) => map.get(key) !== undefined)
  assert.ok(keysInMap.length >= 10 && keysInMap.length <= 20)
})
