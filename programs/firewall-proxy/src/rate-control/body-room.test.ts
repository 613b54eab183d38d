import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyRoom } from './body-room.ts'

/** A room of 100 bytes in which requests wait for 1,000 ms, with a clock of its own, and what requests were told. */
function room() {
  const clock = { now: 0 }
  const events: string[] = []
  const all = new BodyRoom({ bytesMax: 100, waitMaxMs: 1_000 }, () => clock.now)
  const ask = (name: string, bytes: number) =>
    all.ask(bytes, {
      granted: () => events.push(name),
      refused: (why) => events.push(`${name} ${why}`),
    })
  const at = (now: number) => {
    clock.now = now
    all.look()
  }
  return { all, events, ask, at }
}

test('requests get room as long as there is some, and the next ones when others have left, in their order', () => {
  const { events, ask, all } = room()
  const first = ask('first', 60)
  const second = ask('second', 40)
  ask('large', 90)
  ask('small', 5)
  assert.deepEqual(events, ['first', 'second'])
  second.leave()
  assert.deepEqual(events, ['first', 'second'], 'the small one waits behind the large one')
  first.leave()
  first.leave()
  assert.deepEqual(events, ['first', 'second', 'large', 'small'])
  assert.equal(all.takenBytes, 95)
})

test('what a body turns out not to need is given to others', () => {
  const { events, ask, all } = room()
  const first = ask('first', 100)
  ask('second', 90)
  first.keep(10)
  assert.deepEqual(events, ['first', 'second'])
  first.leave()
  assert.equal(all.takenBytes, 90)
})

test('a body that is larger than the room comes when it is alone', () => {
  const { events, ask } = room()
  const first = ask('first', 1)
  ask('huge', 1_000)
  assert.deepEqual(events, ['first'])
  first.leave()
  assert.deepEqual(events, ['first', 'huge'])
})

test('who has waited for the whole time is refused while what is held was there in time', () => {
  const { events, ask, at, all } = room()
  const first = ask('first', 100)
  first.keep(100)
  at(500)
  ask('second', 50)
  ask('third', 50)
  at(1_499)
  assert.deepEqual(events, ['first'])
  at(1_500)
  assert.deepEqual(events, ['first', 'second full', 'third full'])
  assert.equal(all.takenBytes, 100)
})

test('a body that comes for longer than others wait loses its room to them', () => {
  const { events, ask, at, all } = room()
  const slow = ask('slow', 60)
  ask('quick', 40).keep(40)
  ask('second', 30)
  at(1_000)
  assert.deepEqual(events, ['slow', 'quick', 'slow slow', 'second'])
  slow.leave()
  assert.equal(all.takenBytes, 70)
})

test('who goes away while it waits makes way for those behind it', () => {
  const { events, ask, at } = room()
  ask('first', 60)
  const large = ask('large', 90)
  ask('small', 5)
  large.leave()
  assert.deepEqual(events, ['first', 'small'])
  at(5_000)
  assert.deepEqual(events, ['first', 'small'], 'nobody waits, and nobody has to hurry')
})
