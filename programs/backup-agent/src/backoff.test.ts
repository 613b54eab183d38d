import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backoff } from './backoff.ts'

test('delays double up to the largest, with up to half of each taken away', () => {
  const backoff = new Backoff({ firstMs: 100, largestMs: 350 })
  for (const fullMs of [100, 200, 350, 350, 350]) {
    const delayMs = backoff.takeDelayMs()
    assert.ok(delayMs > fullMs / 2 && delayMs <= fullMs, `${delayMs} ms instead of up to ${fullMs}`)
  }
})

test('begins with the first delay again after a success', () => {
  const backoff = new Backoff({ firstMs: 100, largestMs: 10_000 })
  for (let turn = 0; turn < 5; turn++) backoff.takeDelayMs()
  backoff.reset()
  assert.ok(backoff.takeDelayMs() <= 100)
})

test('stops waiting when the signal is aborted', async () => {
  const abort = new AbortController()
  const wait = new Backoff({ firstMs: 60_000, largestMs: 60_000 }).wait(abort.signal)
  abort.abort()
  await assert.rejects(wait, { name: 'AbortError' })
})
