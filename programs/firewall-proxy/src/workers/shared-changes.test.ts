import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SharedChange } from '@palisade/proxy-protocol'
import { type ServiceMemory, TrafficMemory } from '../policy/traffic-memory.ts'
import type { StoredChanges } from './messages.ts'
import { sharedChangesOf, storedChangesOf } from './shared-changes.ts'
import { SharedCollections } from './shared-collections.ts'

const now = 1_700_000_000_000
const windowMs = 60_000

/** One process with what it remembers, and what it has not told others yet. */
class Process {
  readonly untold: StoredChanges[] = []
  readonly collections = new SharedCollections((changes) => this.untold.push(changes))
  readonly memory: ServiceMemory

  constructor() {
    const { collections } = this
    this.memory = new TrafficMemory({
      clients: collections.of('clients'),
      logIns: collections.of('logIns'),
      bindings: collections.of('bindings'),
      logouts: collections.of('logouts'),
      services: collections.of('services'),
    }).of('shop')
  }

  count(at = now): void {
    this.memory.counter('logins', at, windowMs).add(1)
  }

  counted(at = now): number {
    return this.memory.counter('logins', at, windowMs).count
  }

  /** What it has to tell other processes. */
  told(): StoredChanges[] {
    return this.untold.splice(0)
  }
}

test('workers that begin to count in the same moment have the sum of all, as has the process above them', () => {
  const [above, one, other] = [new Process(), new Process(), new Process()]
  one.count()
  other.count()
  one.count()
  const [ofOne, ofOther] = [one.told(), other.told()]
  above.collections.take(ofOne)
  other.collections.take(ofOne)
  above.collections.take(ofOther)
  one.collections.take(ofOther)
  assert.deepEqual([above.counted(), one.counted(), other.counted()], [3, 3, 3])
})

test('proxies that begin to count in the same moment have the sum of both, in their workers too', () => {
  const proxies = Array.from({ length: 2 }, () => ({ above: new Process(), worker: new Process() }))
  for (const { worker } of proxies) worker.count()
  // Each proxy hears of the other's count before its own worker has told it of its own.
  const shared = proxies.map(({ worker }): SharedChange[] => sharedChangesOf([...worker.untold]))
  for (const [index, { above, worker }] of proxies.entries()) {
    const heard = (shared[1 - index] ?? []).map((change) => storedChangesOf(change, now))
    above.collections.take(heard)
    worker.collections.take(heard)
    above.collections.take(worker.told())
  }
  const counted = proxies.flatMap(({ above, worker }) => [above.counted(), worker.counted()])
  assert.deepEqual(counted, [2, 2, 2, 2])
})

test('a window begins anew at all when it is over, and keeps its end until then', () => {
  const [one, other] = [new Process(), new Process()]
  one.count()
  other.collections.take(one.told())
  other.count(now + windowMs - 1)
  one.collections.take(other.told())
  assert.equal(one.counted(now + windowMs - 1), 2)
  assert.equal(other.counted(now + windowMs), 0)
  other.count(now + windowMs)
  one.count(now + windowMs + 1)
  const [ofOne, ofOther] = [one.told(), other.told()]
  one.collections.take(ofOther)
  other.collections.take(ofOne)
  assert.equal(one.counted(now + windowMs + 2), 2)
  assert.equal(other.counted(now + windowMs + 2), 2)
})

test('what is taken back is taken back everywhere', () => {
  const [one, other] = [new Process(), new Process()]
  one.count()
  one.memory.counter('logins', now, windowMs).add(-1)
  for (const change of sharedChangesOf(one.told())) other.collections.take([storedChangesOf(change, now)])
  assert.equal(other.counted(), 0)
  other.count()
  assert.equal(other.counted(), 1)
})
