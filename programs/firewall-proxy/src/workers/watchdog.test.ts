import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadTimes } from './process-status.ts'
import { Watchdog } from './watchdog.ts'

/** A second of a worker, as it is told: how long its thread ran and waited for a processor, and whether it gave a sign of life. */
interface Second {
  readonly ranMs?: number
  readonly waitedMs?: number
  readonly hasSign?: boolean
  /** How much the clock went on between the looks. */
  readonly elapsedMs?: number
}

/** @returns in which second the watchdog finds that it hangs; undefined when it does not */
function foundAfter(count: number, second: Second, mayBeSilent = false): number | undefined {
  const { ranMs = 0, waitedMs = 0, hasSign = false, elapsedMs = 1_000 } = second
  let times: ThreadTimes = { ranMs: 0, waitedMs: 0 }
  let signs = 0
  const watchdog = new Watchdog(0, () => times)
  for (let passed = 0; passed < count; passed++) {
    const hanging = watchdog.look(passed * elapsedMs, [{ pid: 1, signs, mayBeSilent }])
    if (hanging.has(1)) return passed
    times = { ranMs: times.ranMs + ranMs, waitedMs: times.waitedMs + waitedMs }
    if (hasSign) signs++
  }
  return undefined
}

test('a worker hangs that computes for ten seconds without a sign of life, or a minute while it loads rules', () => {
  assert.equal(foundAfter(100, { ranMs: 1_000 }), 11)
  assert.equal(foundAfter(100, { ranMs: 1_000 }, true), 61)
  assert.equal(foundAfter(100, { ranMs: 1_000, hasSign: true }), undefined)
})

test('what counts is processor time: on a loaded machine it takes longer to be found', () => {
  assert.equal(foundAfter(100, { ranMs: 200, waitedMs: 800 }), 51)
  assert.equal(foundAfter(1_000, { waitedMs: 1_000 }), undefined)
})

test('a worker hangs that sleeps for half a minute without a sign of life', () => {
  assert.equal(foundAfter(100, {}), 31)
  assert.equal(foundAfter(100, { hasSign: true }), undefined)
})

test('the time for which the primary process was stopped itself does not count', () => {
  assert.equal(foundAfter(10, { elapsedMs: 3_600_000 }), undefined)
  assert.equal(foundAfter(6, { elapsedMs: 3_600_000, ranMs: 3_000_000 }), undefined)
})

test('one that is gone, or of which the system says nothing, does not hang', () => {
  const watchdog = new Watchdog(0, () => undefined)
  for (let now = 0; now < 100_000; now += 1_000) {
    assert.equal(watchdog.look(now, [{ pid: 1, signs: 0, mayBeSilent: false }]).size, 0)
  }
})
