import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { nameChunk } from '@palisade/vault'
import type { ChunkRange } from '../chunks/chunk-range.ts'
import { serverAddresses } from '../server/addresses.ts'
import type { SendSpec } from '../sessions/session.ts'
import { countThreads } from '../testing/agent/count-threads.ts'
import { ProtocolServer } from '../testing/agent/protocol-server.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { ChunkWorkers } from './chunk-workers.ts'
import { exactly } from './worker-limits.ts'

const workers = new ChunkWorkers(exactly(2))
after(() => workers.stop())

const chunkSizeBytes = 64 * 1024
const chunkCount = 40
const retryPolicy = { firstMs: 1, largestMs: 5, giveUpAfterMs: 50 }

function specFor(server: ProtocolServer, sourcePath: string, credential: string): SendSpec {
  return {
    kind: 'send',
    geometry: { volumeSizeBytes: chunkCount * chunkSizeBytes, chunkSizeBytes },
    keys: server.keys,
    connection: { addresses: serverAddresses([server.url]), credential, trust: { insecure: false } },
    retryPolicy,
    backupId: 'b1',
    sourcePath,
    sourceOffsetBytes: 0,
    bytesDone: new BigInt64Array(new SharedArrayBuffer(8)),
  }
}

function* ranges(): Generator<ChunkRange> {
  for (let from = 0; from < chunkCount; from += 4) yield { from, to: from + 4 }
}

async function enrol(server: ProtocolServer): Promise<string> {
  const reply = await fetch(`${server.url}/agent/v1/enrol`, {
    method: 'POST',
    body: JSON.stringify({ enrolmentKey: server.enrolmentKey }),
  })
  const { credential } = JSON.parse(await reply.text())
  return credential
}

/** Work is done in threads, and little of it in this one. */
const ways = [
  { inThisThread: false, where: 'in threads' },
  { inThisThread: true, where: 'in this thread' },
]

for (const { inThisThread, where } of ways) {
  test(`every range is done once ${where}, and its ids are those of its chunks`, async (t) => {
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const path = join(temporaryDirectory(t), 'source')
    const content = randomBytes(chunkCount * chunkSizeBytes)
    writeFileSync(path, content)
    const spec = specFor(server, path, await enrol(server))
    const chunks = new Map<number, Uint8Array>()
    await workers.each(spec, ranges(), {
      signal: new AbortController().signal,
      inThisThread,
      onDone: async ({ from }, ids) => {
        assert.ok(!chunks.has(from))
        chunks.set(from, ids)
      },
    })
    assert.equal(chunks.size, chunkCount / 4)
    const first = nameChunk(content.subarray(0, chunkSizeBytes), server.keys.naming)
    assert.ok(first.equals(chunks.get(0)?.subarray(0, 32) ?? Buffer.alloc(0)))
    assert.equal(Number(spec.bytesDone[0]), content.length)
    assert.equal(server.chunks.size, chunkCount)
  })

  test(`the first failure ends the work ${where}, with the code that it had there`, async (t) => {
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const missing = specFor(server, join(temporaryDirectory(t), 'missing'), 'x')
    let count = 0
    const work = workers.each(missing, ranges(), {
      signal: new AbortController().signal,
      inThisThread,
      onDone: async () => {
        count++
      },
    })
    await assert.rejects(work, { name: 'TaskFailure', code: 'SourceUnreadable' })
    assert.equal(count, 0)
  })

  test(`a source that ends too early fails all parts of a job ${where}, and the next work is done`, async (t) => {
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const path = join(temporaryDirectory(t), 'source')
    writeFileSync(path, randomBytes(6 * chunkSizeBytes))
    const spec = specFor(server, path, await enrol(server))
    const { signal } = new AbortController()
    const parts = [4, 8, 12, 16].map((from) => ({ from, to: from + 4 }))
    const cut = workers.each(spec, [{ from: 4, to: 20, parts }], { signal, inThisThread })
    await assert.rejects(cut, { name: 'TaskFailure', code: 'SourceUnreadable' })
    await workers.each(
      spec,
      [
        {
          from: 0,
          to: 6,
          parts: [
            { from: 0, to: 1 },
            { from: 5, to: 6 },
          ],
        },
      ],
      { signal, inThisThread },
    )
    assert.equal(server.chunks.size, 2)
  })
}

/** Workers that no other test uses, and how many threads were started since. */
function countedWorkers(t: TestContext) {
  const own = new ChunkWorkers(exactly(2))
  t.after(() => own.stop())
  return { own, started: countThreads(t) }
}

test('no thread is started for work in this one or without ranges, and a list of them that cannot be made is a failure', async (t) => {
  const { own, started } = countedWorkers(t)
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  const spec = specFor(server, join(temporaryDirectory(t), 'missing'), 'x')
  const { signal } = new AbortController()
  await own.each(spec, [], { signal })
  const failures: unknown[] = []
  const broken = Iterator.from([0]).map((): ChunkRange => {
    throw new RangeError('no list')
  })
  const onFailure = (error: unknown) => failures.push(error)
  await assert.rejects(own.each(spec, broken, { signal, onFailure }), RangeError)
  assert.equal(failures.length, 1)
  await assert.rejects(own.each(spec, [], { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  await assert.rejects(own.each(spec, ranges(), { signal, inThisThread: true }), { code: 'SourceUnreadable' })
  assert.equal(started(), 0)
  await assert.rejects(own.each(spec, ranges(), { signal }), { code: 'SourceUnreadable' })
  assert.equal(started(), 2)
})

test('there are as many threads as the limits say for chunks of a size, and one of them does all work as well', async (t) => {
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  const path = join(temporaryDirectory(t), 'source')
  writeFileSync(path, randomBytes(chunkCount * chunkSizeBytes))
  const spec = specFor(server, path, await enrol(server))
  for (const threads of [1, 3]) {
    const own = new ChunkWorkers(exactly(threads))
    t.after(() => own.stop())
    const started = countThreads(t)
    let underWay = 0
    let underWayMax = 0
    const counted = ranges().map((range) => {
      underWayMax = Math.max(underWayMax, ++underWay)
      return range
    })
    own.prepare('send')
    await own.each(spec, counted, {
      signal: new AbortController().signal,
      onDone: async () => {
        underWay--
      },
    })
    assert.deepEqual([started(), underWayMax], [threads, own.rangesMax(chunkSizeBytes)])
    assert.equal(own.rangesMax(chunkSizeBytes), 2 * threads)
    await own.stop()
  }
})

test('threads that were prepared do the work that comes, and those for another kind give way', async (t) => {
  const { own, started } = countedWorkers(t)
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  const path = join(temporaryDirectory(t), 'source')
  writeFileSync(path, randomBytes(chunkCount * chunkSizeBytes))
  own.prepare('stream')
  own.prepare('send')
  await own.each(specFor(server, path, await enrol(server)), ranges(), {
    signal: new AbortController().signal,
  })
  assert.equal(started(), 4)
  assert.equal(server.chunks.size, chunkCount)
})

for (const { inThisThread, where } of ways) {
  test(`a failure of the caller ends the work ${where} as well`, async (t) => {
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const path = join(temporaryDirectory(t), 'source')
    writeFileSync(path, randomBytes(chunkCount * chunkSizeBytes))
    const work = workers.each(specFor(server, path, await enrol(server)), ranges(), {
      signal: new AbortController().signal,
      inThisThread,
      onDone: () => Promise.reject(new RangeError('no room for the ids')),
    })
    await assert.rejects(work, RangeError)
  })

  test(`when work ${where} is aborted nothing of it is under way any more, and the next is done`, async (t) => {
    const server = await ProtocolServer.start()
    t.after(() => server.stop())
    const path = join(temporaryDirectory(t), 'source')
    writeFileSync(path, randomBytes(chunkCount * chunkSizeBytes))
    const spec = specFor(server, path, await enrol(server))
    const abort = new AbortController()
    let calls = 0
    server.interfere = (request) => {
      if (!request.url?.endsWith('missing')) return false
      calls++
      // All that can be under way is, and nothing is on its way to the server any more.
      if (calls === workers.rangesMax(chunkSizeBytes)) abort.abort(new Error('enough'))
      return true
    }
    await assert.rejects(workers.each(spec, ranges(), { signal: abort.signal, inThisThread }), /enough/)
    server.interfere = () => false
    const before = server.requestCounts.get('missing') ?? 0
    await workers.each(spec, ranges(), { signal: new AbortController().signal, inThisThread })
    assert.equal((server.requestCounts.get('missing') ?? 0) - before, chunkCount / 4)
  })
}
