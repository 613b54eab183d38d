import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly, limitsFor, threadsFor } from './worker-limits.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3

/** Computers, and how many threads they have for chunks of 1 MiB and of 16 MiB. */
const cases = [
  { processors: 1, memory: 32 * gibibyte, max: undefined, threads: [2, 2] },
  { processors: 2, memory: 1 * gibibyte, max: undefined, threads: [2, 2] },
  { processors: 2, memory: 32 * gibibyte, max: undefined, threads: [2, 2] },
  { processors: 16, memory: 32 * gibibyte, max: undefined, threads: [16, 16] },
  { processors: 16, memory: 8 * gibibyte, max: undefined, threads: [16, 7] },
  { processors: 16, memory: 1 * gibibyte, max: undefined, threads: [2, 2] },
  { processors: 16, memory: 32 * gibibyte, max: 512 * mebibyte, threads: [6, 2] },
  { processors: 64, memory: 512 * gibibyte, max: undefined, threads: [16, 16] },
] as const

test('there is a thread for each processor, from two to sixteen, as far as there is memory', () => {
  for (const { processors, memory, max, threads } of cases) {
    const limits = limitsFor({ processors, memoryBytes: memory, memoryMaxBytes: max })
    const counts = [1, 16].map((size) => threadsFor(limits, size * mebibyte, 2))
    assert.deepEqual(counts, threads, `${processors} processors, ${memory} bytes, at most ${max}`)
  }
})

test('what the operator says counts, whatever the chunks', () => {
  for (const threads of [1, 2, 5, 64]) assert.equal(threadsFor(exactly(threads), 16 * mebibyte, 2), threads)
})
