import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import { RefusedByManagement } from './management-link.ts'
import { Reporting } from './reporting.ts'

test('a management that refuses reports is told of once, until it takes one', async () => {
  const messages: string[] = []
  const log = createLog('silent')
  log.warn = (facts: unknown) => {
    messages.push(JSON.stringify(facts))
  }
  const stopping = new AbortController()
  const reporting = new Reporting()
  const outcomes = [400, 400, 200, 400]
  const report = async () => {
    const status = outcomes.shift()
    reporting.wake()
    if (status === undefined) stopping.abort()
    else if (status !== 200) throw new RefusedByManagement('the report', status)
  }
  await reporting.run(report, log, stopping.signal)
  assert.equal(messages.length, 2)
  assert.match(messages[0] ?? '', /refused the report with status 400/)
})
