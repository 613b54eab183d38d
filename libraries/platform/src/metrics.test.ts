import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import { createMetrics } from './metrics.ts'

test('shows what was observed in the text format of Prometheus', async () => {
  const metrics = createMetrics()
  metrics.of('email')('GET', 200, 0.003)
  metrics.of('email')('GET', 200, 0.3)
  metrics.of('backup')('POST', 400, 60)
  const { contentType, body } = await metrics.text()
  assert.match(contentType, /^text\/plain; version=0\.0\.4/)
  const name = 'palisade_http_request_duration_seconds'
  for (const line of [
    `# TYPE ${name} histogram`,
    `${name}_bucket{le="0.005",service="email",method="GET",status="200"} 1`,
    `${name}_count{service="email",method="GET",status="200"} 2`,
    `${name}_bucket{le="10",service="backup",method="POST",status="400"} 0`,
    `${name}_count{service="backup",method="POST",status="400"} 1`,
  ]) {
    assert.ok(body.split('\n').includes(line), line)
  }
  assert.match(body, /^process_resident_memory_bytes /m)
})

test('counts for each server of a process by itself', async () => {
  createMetrics().of('email')('GET', 200, 1)
  assert.doesNotMatch((await createMetrics().text()).body, /service="email"/)
})

test('shows events that are expected as 0, since an increase from nothing is none', async () => {
  const metrics = createMetrics()
  const count = metrics.counter(
    'palisade_tests_total',
    'Tests',
    ['state'],
    [{ state: 'good' }, { state: 'bad' }],
  )
  count({ state: 'bad' })
  const { body } = await metrics.text()
  assert.match(body, /^palisade_tests_total\{state="good"\} 0$/m)
  assert.match(body, /^palisade_tests_total\{state="bad"\} 1$/m)
})

test('leaves out what cannot be read or takes too long, and shows the rest', async () => {
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const metrics = createMetrics({ log, readMaxMs: 20 })
  metrics.observed('palisade_rows', 'Rows', ['table'], async () => {
    throw new Error('the database is away')
  })
  metrics.observed<never>('palisade_pages', 'Pages', [], () => new Promise(() => undefined))
  metrics.observed('palisade_runs_total', 'Runs', ['queue'], () => [{ labels: { queue: 'one' }, value: 7 }])
  const { body } = await metrics.text()
  assert.match(body, /^# TYPE palisade_rows gauge$/m)
  assert.doesNotMatch(body, /^palisade_rows\{/m)
  assert.match(body, /^palisade_pages Nan$/im)
  assert.match(body, /^# TYPE palisade_runs_total counter\npalisade_runs_total\{queue="one"\} 7$/m)
  assert.match(lines.join(''), /the database is away/)
  assert.match(lines.join(''), /it takes too long/)
})
