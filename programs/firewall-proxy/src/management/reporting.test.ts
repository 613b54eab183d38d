import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import { type ProxyReport, type ProxyReportDifference, wholeReportEveryMs } from '@palisade/proxy-protocol'
import { ChangedReports } from './changed-reports.ts'
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

test('after a report that was taken goes what has changed, and a whole one where that is not enough', async () => {
  const service = (name: string, isUp: boolean) => ({ name, isUp, reason: '', servers: [] })
  const report = (...services: ProxyReport['services']): ProxyReport => ({
    proxy: 'edge',
    version: 1,
    digest: '',
    problem: '',
    rulesProblem: '',
    services,
  })
  const sent: unknown[] = []
  const failures: Error[] = []
  let id: string | undefined
  let now = 0
  const link = {
    report: async ({ services }: ProxyReport) => {
      sent.push(services.map(({ name }) => name).join())
      return id
    },
    reportDifference: async ({ base, report: { services }, gone }: ProxyReportDifference) => {
      sent.push([base, services.map(({ name }) => name).join(), gone.join()])
      const failure = failures.shift()
      if (failure) throw failure
      return id
    },
  }
  const reports = new ChangedReports(link, () => now)
  const { signal } = new AbortController()
  const send = async (...services: ProxyReport['services']) => {
    sent.length = 0
    await reports.send(report(...services), signal).catch((error) => sent.push(error.message))
    return [...sent]
  }
  const [one, two] = [service('one', true), service('two', true)]
  assert.deepEqual(await send(one, two), ['one,two'])
  assert.deepEqual(await send(one, two), ['one,two'], 'an older management takes no differences')
  id = 'first'
  await send(one, two)
  id = 'second'
  assert.deepEqual(await send(service('one', true), service('two', false)), [['first', 'two', '']])
  assert.deepEqual(await send(one), [['second', '', 'two']])
  failures.push(new RefusedByManagement('it', 409))
  assert.deepEqual(await send(one, two), [['second', 'two', ''], 'one,two'], 'it was started again')
  failures.push(new Error('the connection has ended'))
  assert.deepEqual(await send(one, two), [['second', '', ''], 'the connection has ended'])
  assert.deepEqual(await send(one, two), ['one,two'])
  now += wholeReportEveryMs
  assert.deepEqual(await send(one, two), ['one,two'])
})
