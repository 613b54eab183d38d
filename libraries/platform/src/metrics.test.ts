import assert from 'node:assert/strict'
import { test } from 'node:test'
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
