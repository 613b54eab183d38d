import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog, withRequestId } from '@palisade/log'
import { beginTrace, currentOrigin, currentTraceparent, inSpan, inTrace, isTracing } from './spans.ts'
import { startTracing } from './start-tracing.ts'

const program = { name: 'palisade-test', version: '1.2.3' }
const here = { trustsCaller: true }
const quiet = createLog('silent')

interface Posted {
  readonly headers: Record<string, unknown>
  readonly spans: readonly { name: string; traceId: string; spanId: string; parentSpanId?: string }[]
}

/** A collector that takes everything, and what it was sent. */
async function collector() {
  const posted: Posted[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString())
    const spans = resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: unknown[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    )
    posted.push({ headers: request.headers, spans })
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    posted,
    url: `http://127.0.0.1:${port}/v1/traces`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('records nothing unless it is told to, and does the work all the same', async () => {
  assert.equal(await startTracing(undefined, program, quiet), undefined)
  assert.equal(isTracing(), false)
  assert.equal(
    await inTrace('work', {}, here, () => inSpan('part', {}, async () => currentTraceparent())),
    undefined,
  )
})

test('spans of one request are one trace, which is called as the request', async () => {
  const { url, posted, close } = await collector()
  const settings = { url, sampleRatio: 1, headers: { 'api-key': 's3cret' } }
  const tracing = await startTracing(settings, program, quiet)
  const id = '0af7651916cd43dd8448eb211c80319c'
  const origin = await withRequestId(id, () =>
    inTrace('outer', { kind: 'server' }, here, () =>
      inSpan('inner', {}, async () => {
        await pause(1)
        return currentOrigin()
      }),
    ),
  )
  await tracing?.close()
  close()
  const spans = posted.flatMap((post) => post.spans)
  const [inner, outer] = ['inner', 'outer'].map((name) => spans.find((span) => span.name === name))
  assert.ok(inner && outer)
  assert.deepEqual([inner.traceId, outer.traceId], [id, id])
  assert.equal(inner.parentSpanId, outer.spanId)
  assert.deepEqual(origin, { requestId: id, traceparent: `00-${id}-${inner.spanId}-01` })
  assert.equal(posted[0]?.headers['api-key'], 's3cret')
  assert.equal(isTracing(), false)
})

test('chance does not pick what callers want recorded, who are obeyed within a bound', async () => {
  const { url, close } = await collector()
  const tracing = await startTracing({ url, sampleRatio: 0, headers: {} }, program, quiet)
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true }
  assert.equal(beginTrace('one', {}, here), undefined)
  assert.equal(beginTrace('one', {}, { caller, trustsCaller: false }), undefined)
  assert.equal(
    beginTrace('one', {}, { caller: { ...caller, isSampled: false }, trustsCaller: true }),
    undefined,
  )
  let recorded = 0
  // Whatever second it is, this many at once are in two of them at most.
  for (let count = 0; count < 1000; count++) {
    if (beginTrace('one', {}, { caller, trustsCaller: true }) !== undefined) recorded++
  }
  assert.ok(recorded >= 100 && recorded <= 200, `${recorded}`)
  await tracing?.close()
  close()
})

test('a collector that is away holds up nothing: what has no room is counted, and one line tells of it', async () => {
  const { url, close } = await collector()
  close()
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const tracing = await startTracing({ url, sampleRatio: 1, headers: {} }, program, log)
  const total = 20_000
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < total; count++) beginTrace('lost', {}, here)?.end()
  assert.ok(tracing)
  const { dropped } = tracing
  while (!lines.some(({ level }) => level === 40)) await pause(10)
  assert.ok(dropped['queue-full'] >= total - 4_096 && dropped['queue-full'] < total, JSON.stringify(dropped))
  assert.ok(dropped['export-failed'] > 0)
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 2 ** 20)
  await tracing.close()
  const warnings = lines.filter(({ level }) => level === 40)
  assert.equal(warnings.length, 1)
  assert.match(String(warnings[0]?.reason), /ECONNREFUSED/)
})
