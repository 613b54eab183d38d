import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgingClock, type AgingState } from './aging-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const yearMs = 365 * dayMs
const start = Date.UTC(2030, 0, 31)

/** A machine with a clock that can be set, and one that cannot. */
class Machine {
  wallMs = start
  steadyMs = 5_000
  readonly leaps: number[] = []

  aging(last?: AgingState): AgingClock {
    return new AgingClock({
      clock: { now: () => this.wallMs },
      last,
      steadyMs: () => this.steadyMs + 0.4,
      onLeap: (aheadMs) => this.leaps.push(aheadMs),
    })
  }

  run(ms: number): void {
    this.wallMs += ms
    this.steadyMs += ms
  }
}

test('goes with the clock, for years and through small corrections', () => {
  const machine = new Machine()
  const aging = machine.aging()
  machine.run(yearMs)
  assert.equal(aging.now(), machine.wallMs)
  machine.wallMs += hourMs - 1
  assert.equal(aging.now(), machine.wallMs)
  machine.wallMs -= 5 * dayMs
  assert.equal(aging.now(), machine.wallMs)
  assert.deepEqual(machine.leaps, [])
})

test('goes on without a leap ahead until that has lasted for a day', () => {
  const machine = new Machine()
  const aging = machine.aging()
  machine.wallMs += yearMs
  assert.equal(aging.now(), start)
  machine.run(dayMs - 1)
  assert.equal(aging.now(), start + dayMs - 1)
  assert.equal(aging.aheadMs, yearMs)
  machine.run(1)
  assert.equal(aging.now(), machine.wallMs)
  assert.deepEqual(machine.leaps, [yearMs])
})

test('goes with a clock again that is put right, from ahead and from behind', () => {
  const machine = new Machine()
  const aging = machine.aging()
  machine.wallMs += yearMs
  assert.equal(aging.now(), start)
  machine.wallMs -= yearMs
  assert.equal(aging.now(), start)
  assert.equal(aging.aheadMs, 0)
  machine.wallMs -= 60 * yearMs
  assert.equal(aging.now(), machine.wallMs)
  machine.wallMs += 60 * yearMs
  assert.equal(aging.now(), start)
})

test('goes with the clock after nights and weekends in which the machine was off', () => {
  const machine = new Machine()
  let aging = machine.aging()
  for (const offMs of [8 * hourMs, 16 * hourMs, 60 * hourMs, 8 * hourMs]) {
    machine.run(8 * hourMs)
    const { state } = aging
    machine.wallMs += offMs
    machine.steadyMs = 0
    aging = machine.aging(state)
    assert.equal(aging.now(), machine.wallMs)
  }
})

test('sees over a restart that the clock was set, and doubts it for the rest of the day', () => {
  const machine = new Machine()
  const { state } = machine.aging()
  machine.wallMs += yearMs
  machine.steadyMs = 0
  const second = machine.aging(state)
  assert.equal(second.now(), start)
  machine.run(dayMs / 2)
  const later = second.state
  machine.steadyMs = 0
  const third = machine.aging(later)
  assert.equal(third.now(), start + dayMs / 2)
  machine.run(dayMs / 2)
  assert.equal(third.now(), machine.wallMs)
})
