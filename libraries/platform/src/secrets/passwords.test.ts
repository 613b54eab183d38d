import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { HashingQueue } from './hashing-queue.ts'
import { Passwords } from './passwords.ts'

const passwords = new Passwords()

test('recognises the password that was hashed and no other', async () => {
  const stored = await passwords.hash('correct horse')
  assert.equal(await passwords.matches('correct horse', stored), true)
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0']) {
    assert.equal(await passwords.matches(wrong, stored), false, JSON.stringify(wrong))
  }
})

test('salts each hash, and writes argon2id with its parameters', async () => {
  const [one, another] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
  assert.notEqual(one, another)
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('takes passwords of any length and any characters', async () => {
  for (const password of ['', 'ü'.repeat(100), '🙂', 'a\nb\0c', 'x'.repeat(100_000)]) {
    assert.equal(await passwords.matches(password, await passwords.hash(password)), true)
  }
})

test('never lets anybody in where there is no such user', async () => {
  for (const guess of ['', 'undefined', 'null', 'password']) {
    assert.equal(await passwords.matches(guess, undefined), false)
  }
})

test('does the work for an unknown user too, in its turn', async () => {
  const oneAtATime = new Passwords(new HashingQueue(1))
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  await Promise.all([
    oneAtATime.hash('x'.repeat(30_000_000)).then(note('long hash')),
    oneAtATime.matches('guess', undefined).then(note('unknown user')),
  ])
  assert.deepEqual(order, ['long hash', 'unknown user'])
})

test('computes no more at once than it was told, and the others in order', async () => {
  const oneAtATime = new Passwords(new HashingQueue(1))
  const ended: number[] = []
  // Each is quicker than the one before, so side by side they would end the other way round.
  const lengths = [20_000_000, 2_000_000, 0, 0, 0]
  await Promise.all(
    lengths.map((length, index) => oneAtATime.hash('x'.repeat(length)).then(() => ended.push(index))),
  )
  assert.deepEqual(ended, [0, 1, 2, 3, 4])
})

test('lets those who share its turns go between a crowd of its own', async () => {
  const turns = new HashingQueue(1)
  const ended: string[] = []
  const crowd = (who: string, size: number) => {
    const passwords = new Passwords(turns)
    return Array.from({ length: size }, (_, index) =>
      passwords.matches('guess', undefined).then(() => ended.push(`${who}${index}`)),
    )
  }
  await Promise.all([...crowd('a', 5), ...crowd('b', 2), ...crowd('c', 1)])
  assert.deepEqual(ended, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'a4'])
})

test('goes on after a stored hash that cannot be read', async () => {
  const oneAtATime = new Passwords(new HashingQueue(1))
  const failures = await Promise.allSettled(
    ['', 'nonsense', '$argon2id$'].map((stored) => oneAtATime.matches('x', stored)),
  )
  assert.ok(failures.every(({ status }) => status === 'rejected'))
  assert.equal(await oneAtATime.matches('x', await oneAtATime.hash('x')), true)
})

test('reads hashes that were made with other parameters', async () => {
  const weaker = await hash('old', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  assert.equal(await passwords.matches('old', weaker), true)
  assert.equal(await passwords.matches('new', weaker), false)
})
