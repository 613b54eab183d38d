/** One server, one agent and one proxy: what they log names the request that it comes of, and their spans are one trace. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import {
  application,
  cleanUpApplications,
  Management,
  oneWorker,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { TraceCollector } from './support/monitoring/trace-collector.ts'
import { Agent } from './support/programs/agent.ts'
import { basic, bearer, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

let collector: TraceCollector
let server: Server
let agent: Agent
let proxy: ProxyProcess
let backups: Backups
let image: string
const folder = newFolder()
const seenByApplication: IncomingHttpHeaders[] = []

/** Chance picks nothing at the server and its agent: what is recorded there, callers have asked for. */
before(async () => {
  collector = await TraceCollector.start()
  const headersFile = join(folder, 'collector-headers')
  writeFileSync(headersFile, 'api-key=collector-s3cret\n', { mode: 0o600 })
  server = await Server.start(newFolder(), {
    ...provisioned,
    tracing: { endpoint: collector.address, sampleRatio: 0, headersFile, queries: true },
  })
  image = join(folder, 'disk.img')
  writeFileSync(image, Buffer.alloc(2 ** 20, 'content'))
  // The file that tells the release.
  const rule = `SecRule ARGS "@streq forbidden" "id:1000,phase:2,deny,status:403,ver:'OWN/1.0'"`
  writeFileSync(join(folder, 'REQUEST-901-INITIALIZATION.conf'), rule)
  const standard = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  }
  const tracing = { endpoint: collector.address, sampleRatio: 1 }
  ;[agent, proxy] = await Promise.all([
    Agent.start(server, folder, [], undefined, standard),
    ProxyProcess.start(server, newFolder(), {
      ...oneWorker,
      tracing,
      rules: { folder },
    }),
  ])
  backups = await Backups.connect(server)
})

after(async () => {
  await cleanUp()
  cleanUpApplications()
  collector.close()
})

/** Headers of a caller who records his trace, and its id. */
function recorded(requestId: string, digit: string) {
  const traceId = digit.repeat(32)
  return {
    traceId,
    headers: { 'x-request-id': requestId, traceparent: `00-${traceId}-${'c'.repeat(16)}-01` },
  }
}

const linesOf = (output: string, part: string) => output.split('\n').filter((line) => line.includes(part))

test('every answer names its request, as the caller has, or else anew', async () => {
  const places = [
    `${server.firewall}/restapi/v3.2/services`,
    `${server.services}/backup/v2/accounts`,
    `${server.services}/email/accounts`,
    `${server.services}/awareness/campaigns`,
    `${server.services}/admin/v1/session`,
    `${server.services}/nowhere`,
    `${server.services}/%`,
  ]
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  for (const place of places) {
    const idOf = async (headers: Record<string, string>) =>
      (await fetch(place, { headers })).headers.get('x-request-id')
    assert.equal(await idOf({ 'x-request-id': 'deploy-7' }), 'deploy-7', place)
    assert.equal(await idOf({ traceparent: `00-${traceId}-b7ad6b7169203331-00` }), traceId, place)
    for (const hostile of [
      '<script>alert(1)</script>',
      'x'.repeat(65),
      '{"level":60,"msg":"forged"}',
      'a, b',
    ]) {
      assert.match((await idOf({ 'x-request-id': hostile })) ?? '', /^[0-9a-f]{32}$/, place)
    }
  }
  assert.doesNotMatch(server.program.output, /<script>|forged/)
})

test('a backup and a restore are traces through server and agent, and both log whose they are', async () => {
  const { traceId, headers } = recorded('nightly-1', 'b')
  const reply = await fetch(`${server.services}/backup/v2/accounts/acme/computers/0001/backups`, {
    method: 'POST',
    body: JSON.stringify({ source: { path: image } }),
    headers: { 'content-type': 'application/json', ...headers, ...(await bearer(server, 'backup')) },
  })
  const { data } = (await reply.json()) as { data: { id: string } }
  const { state, revisionId } = await backups.ended('backups', data.id)
  assert.equal(state, 'SUCCESS')

  const request = await collector.span(traceId, 'palisade-server', /^POST .*\/backups$/)
  const task = await collector.span(traceId, 'palisade-agent', 'backup')
  const sent = await collector.span(traceId, 'palisade-agent', 'POST commit')
  const commit = await collector.span(traceId, 'palisade-server', /^POST .*\/commit$/)
  const transaction = await collector.span(traceId, 'palisade-server', 'transaction')
  const query = await collector.span(traceId, 'palisade-server', 'query')
  const { value } = query.attributes.find(({ key }) => key === 'db.query.text') ?? {}
  assert.match(String(value?.stringValue), /^(select|insert|update|delete) .* \?/)
  assert.equal(request.parentSpanId, 'c'.repeat(16))
  assert.deepEqual(
    [task.parentSpanId, sent.parentSpanId, commit.parentSpanId],
    [request.spanId, task.spanId, sent.spanId],
  )
  assert.ok([request.spanId, commit.spanId].includes(transaction.parentSpanId ?? ''))
  for (const step of ['reading', 'commit']) {
    assert.equal((await collector.span(traceId, 'palisade-agent', step)).parentSpanId, task.spanId)
  }
  for (const [program, message] of [
    [agent.program, 'backup ended'],
    [server.program, 'a task has ended'],
  ] as const) {
    await program.line(new RegExp(`"requestId":"nightly-1".*"msg":"${message}"`))
  }

  const restoring = recorded('restore-1', 'd')
  const restore = await fetch(
    `${server.services}/backup/v2/accounts/acme/computers/0001/restore/diskimage/standard/vhd`,
    {
      method: 'POST',
      body: JSON.stringify({
        destination: { path: newFolder() },
        diskFormat: 'Vhdx',
        revisions: [revisionId],
      }),
      headers: {
        'content-type': 'application/json',
        ...restoring.headers,
        ...(await bearer(server, 'backup')),
      },
    },
  )
  const ended = await backups.ended('restores', restore.headers.get('x-restore-id') ?? '')
  assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
  await collector.span(restoring.traceId, 'palisade-agent', 'restore')
  await agent.program.line(/"requestId":"restore-1".*"msg":"restore ended"/)
})

test('a changed configuration is followed to the proxy, and a request through the proxy to the application', async () => {
  const behind = await application((request, response) => {
    seenByApplication.push(request.headers)
    response.end('served')
  })
  const management = await Management.connect(server)
  const port = await management.protect('shop', behind)
  await management.untilHealth('services/shop', 'Up')
  const { traceId, headers } = recorded('change-1', 'e')
  const change = await fetch(`${server.firewall}/restapi/v3.2/services/shop/basic-security`, {
    method: 'PUT',
    body: JSON.stringify({ mode: 'Active' }),
    headers: { 'content-type': 'application/json', ...headers, ...basic(await firewallToken(server)) },
  })
  assert.ok(change.ok, await change.text())
  await proxy.program.line(/"requestId":"change-1".*"msg":"a snapshot was taken"/)
  const asked = await collector.span(traceId, 'palisade-server', /^PUT /)
  assert.equal((await collector.span(traceId, 'palisade-proxy', 'take snapshot')).parentSpanId, asked.spanId)

  const clients = { traceparent: `00-${'f'.repeat(32)}-${'a'.repeat(16)}-00`, cookie: 'session=hunter2' }
  for (const [given, expected] of [
    [{ cookie: 'session=hunter2' }, undefined],
    [clients, 'f'.repeat(32)],
  ] as const) {
    const reply = await fetch(`http://127.0.0.1:${port}/basket?card=hunter2`, { headers: given })
    assert.equal(await reply.text(), 'served')
    const { traceparent = '', 'x-request-id': id = '' } = seenByApplication.at(-1) ?? {}
    const [, trace = '', span = '', flags] = String(traceparent).split('-')
    assert.equal(trace, expected ?? String(id).replaceAll('-', ''))
    assert.equal(flags, '01')
    const whole = await collector.span(trace, 'palisade-proxy', 'GET')
    const upstream = await collector.span(trace, 'palisade-proxy', 'upstream')
    assert.deepEqual([upstream.spanId, upstream.parentSpanId], [span, whole.spanId])
    assert.equal((await collector.span(trace, 'palisade-proxy', 'inspection')).parentSpanId, whole.spanId)
    const attributes = Object.fromEntries(
      whole.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    )
    assert.equal(attributes['palisade.request_id'], id)
    assert.equal(Number(attributes['http.response.status_code']), 200)
  }
})

test('nothing secret is in what is exported, or in the log of it', () => {
  const text = collector.posts.map((post) => post.text).join('\n')
  assert.ok(text.length > 5_000)
  assert.doesNotMatch(
    text,
    /hunter2|correct horse|backup secret|enrol-me|s3cret|Bearer|Basic |basket|disk\.img/,
  )
  const keys = collector.posts.filter(({ headers }) => JSON.stringify(headers).includes('collector-s3cret'))
  assert.ok(keys.length > 0 && keys.length < collector.posts.length, 'only the server has the key')
  for (const { output } of [server.program, agent.program, proxy.program]) {
    assert.doesNotMatch(output, /collector-s3cret|hunter2/)
    assert.equal(linesOf(output, '"msg":"recording traces"').length, 1)
  }
})

test('when the collector goes, all goes on: spans that are lost are counted, and each program says so once', async () => {
  const management = await Management.connect(server)
  const behind = await application((_request, response) => response.end('still served'))
  const port = await management.protect('later', behind)
  await management.untilHealth('services/later', 'Up')
  collector.close()
  const away = /"level":40.*"the collector of traces does not take them/
  const { headers } = recorded('without-1', '9')
  await eventually('the server telling that the collector is gone', async () => {
    await fetch(`${server.services}/readyz`, { headers })
    return away.test(server.program.output) || undefined
  })
  for (let count = 0; count < 3; count++) {
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'still served')
    await backups.backUp(image)
  }
  await proxy.program.line(away)
  const metrics = await (await fetch(`${server.services}/metrics`)).text()
  const lost = /^palisade_trace_spans_dropped_total\{reason="export-failed"\} (\d+)$/m.exec(metrics)
  assert.ok(Number(lost?.[1]) > 0, metrics.match(/^.*spans_dropped.*$/gm)?.join('\n'))
  assert.equal(linesOf(server.program.output, 'the collector of traces does not').length, 1)
})
