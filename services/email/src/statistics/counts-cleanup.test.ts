import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/platform'
import { settableClock } from '@palisade/platform/testing'
import { hourMs } from './blocks.ts'
import { CountsCleanup } from './counts-cleanup.ts'

test('tidies up once in an hour, and again in the next one when that failed', async () => {
  const clock = settableClock()
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const tidied: number[] = []
  const mailCounts = {
    forget: async (now: number) => {
      tidied.push(now)
      if (tidied.length === 1) throw new Error('the store is away')
    },
  }
  const cleanup = new CountsCleanup({ mailCounts, clock, log })
  const start = clock.now()
  for (let minute = 0; minute < 120; minute++) {
    await cleanup.tidy()
    clock.advance(60_000)
  }
  assert.deepEqual(tidied, [start, start + hourMs])
  assert.equal(lines.length, 1)
  assert.match(
    lines.join(''),
    /old statistics could not be removed.*the store is away|the store is away.*old statistics/,
  )
})
