import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { get } from './support/firewall/request-load.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const hangOnRequest = pathToFileURL(join(import.meta.dirname, 'support', 'firewall', 'hang-on-request.ts'))

/** Ten seconds of processor time take longer on a machine that has much else to do. */
const hangMaxMs = 200_000

let server: Server
let management: Management
let shopPort: number
before(async () => {
  server = await Server.start()
  management = await Management.connect(server)
  shopPort = await application((_, response) => response.end('served'))
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A proxy with one worker and a spare one, whose workers hang over a request for /hang, and its service. */
async function startServing(t: TestContext, name: string) {
  const metricsPort = await freePort()
  const proxy = await ProxyProcess.start(
    server,
    newFolder(),
    { workers: 1, spareWorker: true, metrics: { port: metricsPort } },
    { NODE_OPTIONS: `--import=${hangOnRequest}` },
  )
  t.after(() => proxy.program.kill())
  const port = await management.protect(name, shopPort)
  t.after(() => management.call('DELETE', `services/${name}`))
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  await proxy.program.line(/"msg":"a spare worker is ready"/)
  const figure = async (metric: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(new RegExp(`^palisade_proxy_${metric} (\\d+)$`, 'm').exec(text)?.[1])
  }
  return { proxy, port, figure }
}

/** What is logged of a worker that hangs. */
async function hangLogged(proxy: ProxyProcess): Promise<Record<string, unknown>> {
  const [line] = await proxy.program.line(/^\{.*"msg":"a worker hangs and is killed"\}$/)
  return JSON.parse(line)
}

test('a worker that computes without an end is killed and replaced, and the log names the request', async (t) => {
  const { proxy, port, figure } = await startServing(t, 'endless')
  assert.equal(await figure('workers_hung_total'), 0)
  const [pid] = workerPids(proxy)
  const begunAt = performance.now()
  const lost = get(port, false, '/hang', hangMaxMs)
  const logged = await hangLogged(proxy)
  assert.match(String(await lost), /ECONNRESET|hang up/)
  assert.equal(await get(port, false), 200)
  t.diagnostic(`served again ${((performance.now() - begunAt) / 1000).toFixed(1)} s after the request`)
  assert.deepEqual([logged.worker, logged.workerPid, logged.service], [1, pid, 'endless'])
  assert.match(String(logged.request), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  assert.ok(Number(logged.busyMs) > 10_000, String(logged.busyMs))
  assert.equal(await figure('workers_hung_total'), 1)
  assert.equal(await figure('workers_ended_total'), 1)
})

test('a worker that is stopped is killed and replaced', async (t) => {
  const { proxy, port, figure } = await startServing(t, 'stopped')
  const [pid = 0] = workerPids(proxy)
  process.kill(pid, 'SIGSTOP')
  const logged = await hangLogged(proxy)
  assert.equal(logged.workerPid, pid)
  assert.ok(Number(logged.asleepMs) > 30_000, String(logged.asleepMs))
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  assert.equal(await figure('workers_hung_total'), 1)
})
