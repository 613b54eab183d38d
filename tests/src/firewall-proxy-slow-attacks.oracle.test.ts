import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HonestClient } from './support/firewall/honest-client.ts'
import {
  application,
  cleanUpApplications,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { trickle } from './support/firewall/trickling.ts'
import { eventually } from './support/programs/calls.ts'
import { descriptorsOf, mebibytes, residentBytesOf } from './support/programs/process-state.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** SLOW_ATTACKS=long for the long form. */
const form =
  process.env.SLOW_ATTACKS === 'long'
    ? { slowhttptest: 1_000, trickling: 2_000, perSecond: 500, readingSeconds: 60, quietMs: 10_000 }
    : { slowhttptest: 200, trickling: 300, perSecond: 200, readingSeconds: 40, quietMs: 1_500 }

const workers = 2
const mebibyte = 1024 * 1024
const run = promisify(execFile)

let proxy: ProxyProcess
let management: Management
let port: number
before(async () => {
  const server = await Server.start()
  proxy = await ProxyProcess.start(server, newFolder(), { workers, spareWorker: true })
  management = await Management.connect(server)
  const large = Buffer.alloc(8 * mebibyte, 'x')
  const behind = await application((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => response.end(incoming.url === '/large' ? large : 'served'))
  })
  port = await management.protect('besieged', behind)
  await management.call('PUT', 'services/besieged/slow-client-attack', {
    status: 'On',
    'data-transfer-rate': 1,
    'incremental-request-timeout': 2,
    'max-request-timeout': 10,
    'incremental-response-timeout': 2,
    'max-response-timeout': 10,
  })
  await management.untilHealth('services/besieged', 'Up')
  await warmUp()
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** What is made at the first requests is there afterwards. */
async function warmUp(): Promise<void> {
  await eventually('all workers', async () => (workerPids(proxy).length === workers ? true : undefined))
  const client = new HonestClient(port, '/', 'served')
  await eventually('200 requests', async () => (client.count >= 200 ? true : undefined), 60_000)
  await client.stop()
}

/**
 * Runs an attack beside an honest client, which sees no error and is served about as fast as before. Afterwards the proxy has as many
 * descriptors open as before, and about as much memory.
 */
async function besiege<T>(t: TestContext, attack: (descriptorsBefore: number) => Promise<T>): Promise<T> {
  const pids = workerPids(proxy)
  const calm = new HonestClient(port, '/', 'served')
  await pause(form.quietMs)
  await calm.stop()
  const descriptors = await settledDescriptors(pids)
  const memory = residentBytesOf(pids)

  const client = new HonestClient(port, '/', 'served')
  const outcome = await attack(descriptors).finally(() => client.stop())
  const memoryAtEnd = residentBytesOf(pids)

  t.diagnostic(
    `median ${calm.medianMs.toFixed(1)} ms before (${calm.count} requests), ` +
      `${client.medianMs.toFixed(1)} ms (worst ${client.worstMs.toFixed(0)} ms, ${client.count} requests) beside the attack`,
  )
  assert.deepEqual([calm.failures, client.failures], [[], []])
  assert.ok(client.count > 5, `${client.count} requests`)
  const bearableMs = 10 * Math.max(calm.medianMs, 20)
  assert.ok(client.medianMs <= bearableMs, `${client.medianMs} ms, expected at most ${bearableMs}`)

  const left = await eventually(
    `no more than ${descriptors} descriptors`,
    async () => (descriptorsOf(pids) <= descriptors ? descriptorsOf(pids) : undefined),
    60_000,
  )
  const memoryLeft = residentBytesOf(pids)
  t.diagnostic(
    `memory ${mebibytes(memory)} before, ${mebibytes(memoryAtEnd)} at the end, ${mebibytes(memoryLeft)} later; ` +
      `descriptors ${descriptors} before, ${left} after`,
  )
  assert.ok(memoryLeft < memory * 1.5 + 64 * mebibyte, `${mebibytes(memoryLeft)} of ${mebibytes(memory)}`)
  assert.deepEqual(workerPids(proxy), pids, 'no worker was replaced')
  return outcome
}

/** Descriptors, as soon as connections to the server that nobody uses any more are closed. */
async function settledDescriptors(pids: readonly number[]): Promise<number> {
  let last = Number.POSITIVE_INFINITY
  return eventually(
    'descriptors that stay',
    async () => {
      const now = descriptorsOf(pids)
      const stays = now === last
      last = now
      await pause(2_000)
      return stays ? now : undefined
    },
    60_000,
  )
}

/** Runs the tool to its end. @returns what it says, without colours */
async function slowhttptest(mode: readonly string[], path: string, signal?: AbortSignal): Promise<string> {
  const { stdout } = await run(
    'slowhttptest',
    [
      ...mode,
      ...['-c', String(form.slowhttptest), '-r', String(form.perSecond), '-p', '30'],
      ...['-u', `http://127.0.0.1:${port}${path}`],
    ],
    { maxBuffer: 64 * mebibyte, ...(signal ? { signal } : {}) },
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with an escape.
  return stdout.replace(/\x1b\[[\d;]*m/g, '')
}

for (const { name, mode } of [
  { name: 'headers', mode: ['-H', '-i', '1', '-x', '8'] },
  { name: 'bodies', mode: ['-B', '-i', '1', '-x', '8', '-s', '100000'] },
]) {
  test(`slowhttptest with slow ${name} loses its connections and takes nothing from others`, async (t) => {
    const report = await besiege(t, () => slowhttptest([...mode, '-l', '60'], '/'))
    const [, seconds] = /Test ended on (\d+)/.exec(report) ?? []
    t.diagnostic(`${form.slowhttptest} connections, over after ${seconds} s`)
    assert.match(report, /service available:\s+YES/)
    assert.doesNotMatch(report, /service available:\s+NO\b/, report.slice(-1_500))
    assert.match(report, /Exit status:\s+No open connections left/, report.slice(-1_500))
    assert.ok(Number(seconds) >= 2, 'the rules did not end it')
  })
}

test('slowhttptest with slow reading loses its connections and takes nothing from others', async (t) => {
  await besiege(t, async (before) => {
    const pids = workerPids(proxy)
    const slow = ['-X', '-n', '1', '-z', '16', '-w', '256', '-y', '512', '-l', String(form.readingSeconds)]
    let isOver = false
    const enough = new AbortController()
    const running = slowhttptest(slow, '/large', enough.signal)
      .catch((error: Error) => {
        if (!enough.signal.aborted) throw error
      })
      .finally(() => {
        isOver = true
      })
    const most = await eventually(
      'the connections of the attack',
      async () => {
        const open = descriptorsOf(pids) - before
        // Some are cut while others come.
        return open > form.slowhttptest / 10 || isOver ? open : undefined
      },
      30_000,
    )
    // The tool does not notice that connections are reset as long as it has something to read.
    const begunAt = performance.now()
    const honest = 10
    const left = await eventually(
      'connections being cut',
      async () => {
        const open = descriptorsOf(pids) - before
        return open <= honest || isOver ? open : undefined
      },
      60_000,
    )
    const wasOver = isOver
    t.diagnostic(`${most} descriptors more, ${left} after ${Math.round(performance.now() - begunAt)} ms`)
    enough.abort()
    await running
    assert.ok(most > form.slowhttptest / 10, `${most}`)
    assert.equal(wasOver, false, 'it was the proxy that cut them')
  })
})

for (const { name, beginning, piece } of [
  { name: 'a request line', beginning: 'GET /', piece: 'e' },
  { name: 'headers', beginning: 'GET / HTTP/1.1\r\nHost: a\r\n', piece: 'X-A: b\r\n' },
  {
    name: 'a body in chunks',
    beginning: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
    piece: '1\r\nx\r\n',
  },
]) {
  test(`${form.trickling} connections that trickle ${name} are closed, and an honest client is served`, async (t) => {
    const { opened, answered, lastedMs } = await besiege(t, () =>
      trickle({
        port,
        beginning,
        piece,
        everyMs: 500,
        connections: form.trickling,
        perSecond: form.perSecond,
      }),
    )
    t.diagnostic(
      `lasted ${lastedMs.at(0)?.toFixed(0)} to ${lastedMs.at(-1)?.toFixed(0)} ms, median ${lastedMs[lastedMs.length >> 1]?.toFixed(0)} ms`,
    )
    assert.equal(opened, form.trickling)
    assert.ok(answered > form.trickling / 2, `${answered} were answered`)
    assert.ok(Number(lastedMs[lastedMs.length >> 1]) > 900, 'the rules did not end them')
  })
}

test('the web firewall log says who was slow', async () => {
  const entries = await management.entries(
    'web-firewall-logs',
    (entry) => entry.attack === 'slow-client-attack' && entry['service-name'] === 'besieged',
    100,
  )
  assert.ok(entries.length >= 100)
})
