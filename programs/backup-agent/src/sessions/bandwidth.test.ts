import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { bandwidthLimit, takeBandwidth } from './bandwidth.ts'

const never = new AbortController().signal

test('bytes go out at the rate that is allowed, after a first burst', async () => {
  const limit = bandwidthLimit(1_000_000)
  const before = performance.now()
  for (let sent = 0; sent < 1_000_000; sent += 50_000) await takeBandwidth(limit, 50_000, never)
  const seconds = (performance.now() - before) / 1000
  // A quarter of a second's worth goes at once, and the last piece is not waited for.
  assert.ok(seconds > 0.65 && seconds < 12, `${seconds} s`)
})

test('threads keep a limit together', async () => {
  const limit = bandwidthLimit(1_000_000)
  const code = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(workerData.module).then(async ({ takeBandwidth }) => {
      const signal = new AbortController().signal
      for (let sent = 0; sent < 500_000; sent += 50_000) await takeBandwidth(workerData.limit, 50_000, signal)
    })`
  const workerData = { limit, module: new URL('./bandwidth.ts', import.meta.url).href }
  const before = process.hrtime.bigint()
  const threads = [1, 2].map(() => new Worker(code, { eval: true, workerData }))
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve))))
  const dueAfterMs = Number((limit.nextDueNs[0] ?? 0n) - before) / 1e6
  assert.ok(dueAfterMs > 740, `a million bytes by both are due after ${dueAfterMs} ms`)
})

test('a wait ends at once when the work is given up', async () => {
  const limit = bandwidthLimit(1000)
  await takeBandwidth(limit, 100_000, never)
  const abort = new AbortController()
  const waiting = takeBandwidth(limit, 1, abort.signal)
  abort.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
})
