import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as holds, integer, property, record } from 'fast-check'
import { SlidingWindow } from './sliding-window.ts'

test('counts a call while less than the length has passed since it', () => {
  const window = new SlidingWindow(1000)
  window.add(5000, 1)
  assert.equal(window.count(5000), 1)
  assert.equal(window.count(5999), 1)
  assert.equal(window.count(6000), 0)
})

test('forgets calls that lie further ahead than its length, as of a clock that was put right', () => {
  const window = new SlidingWindow(1000)
  window.add(50_000, 2)
  window.add(6001, 1)
  window.add(6000, 3)
  assert.equal(window.count(5000), 3)
  assert.equal(window.roomAt(1, 5000), 7000)
  assert.equal(window.count(7000), 0)
  assert.equal(window.count(50_000), 0)
})

test('says to the millisecond when there is room again', () => {
  const window = new SlidingWindow(1000)
  assert.equal(window.roomAt(1, 100), 100)
  window.add(100, 2)
  window.add(300, 1)
  assert.equal(window.roomAt(4, 400), 400)
  assert.equal(window.roomAt(3, 400), 1100)
  assert.equal(window.roomAt(2, 400), 1100)
  assert.equal(window.roomAt(1, 400), 1300)
  assert.equal(window.roomAt(1, 1300), 1300)
})

test('agrees with counting every call by itself, in whatever order they are told', () => {
  const calls = array(record({ at: integer({ min: 0, max: 300 }), calls: integer({ min: 1, max: 3 }) }))
  holds(
    property(calls, calls, integer({ min: 0, max: 500 }), (before, after, now) => {
      const window = new SlidingWindow(100)
      for (const { at, calls } of before) window.add(at, calls)
      const expired = window.count(now)
      for (const { at, calls } of after) window.add(at, calls)
      const inWindow = (list: typeof before) =>
        list.filter(({ at }) => at > now - 100 && at <= now + 100).reduce((sum, { calls }) => sum + calls, 0)
      assert.equal(expired, inWindow(before))
      assert.equal(window.count(now), inWindow([...before, ...after]))
      const room = window.roomAt(3, now)
      assert.ok(window.count(room) < 3)
    }),
  )
})
