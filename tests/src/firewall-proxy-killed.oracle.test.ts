import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { get, RequestLoad } from './support/firewall/request-load.ts'
import { eventually } from './support/programs/calls.ts'
import { descendantsOf, killIfThere, runs } from './support/programs/process-state.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** A worker without a primary process has ended by then: half a minute, what its requests may take, and what a loaded machine adds. */
const orphanMaxMs = 60_000

/** Connections of a load that are cut, or were just being accepted, when a worker ends: one request each. */
const failuresMax = 4

/** A loaded machine may keep those that serve from it while the next start; it was 0.2 to 0.7 s. */
const gapMaxMs = 5_000

let server: Server
let management: Management
let shopPort: number
before(async () => {
  server = await Server.start()
  management = await Management.connect(server)
  shopPort = await application(async (incoming, response) => {
    incoming.resume()
    if (incoming.url === '/slow') await pause(3_000)
    response.end('served')
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A proxy with a service that it serves by all its workers, and a spare one. */
async function startServing(t: TestContext, name: string, workers: number) {
  const folder = newFolder()
  const proxy = await startProxy(t, folder, workers)
  const port = await management.protect(name, shopPort, { 'enable-access-logs': 'No' })
  t.after(() => management.call('DELETE', `services/${name}`))
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  await proxy.program.line(/"msg":"a spare worker is ready"/)
  return { folder, proxy, port }
}

async function startProxy(t: TestContext, folder: string, workers: number): Promise<ProxyProcess> {
  const proxy = await ProxyProcess.start(server, folder, { workers, spareWorker: true })
  t.after(() => proxy.program.kill())
  return proxy
}

/** Kills the primary process alone. @returns the processes that it has started, as far as they run */
function killPrimary({ program }: ProxyProcess): number[] {
  const workers = descendantsOf(program.pid)
  program.signal('SIGKILL')
  return workers
}

/** Waits until they have ended. @returns after how many milliseconds that was */
async function untilEnded(pids: readonly number[], maxMs = orphanMaxMs): Promise<number> {
  const begunAt = performance.now()
  try {
    await eventually(
      `the end of ${pids}`,
      async () => (pids.some((pid) => runs(pid)) ? undefined : true),
      maxMs,
    )
  } finally {
    for (const pid of pids) killIfThere(pid)
  }
  return performance.now() - begunAt
}

for (const workers of [1, 2]) {
  test(`when the primary process is killed its ${workers} serve on until those of the next one do`, async (t) => {
    const { folder, proxy, port } = await startServing(t, `killed-${workers}`, workers)
    const loads = [new RequestLoad(port, 2, true), new RequestLoad(port, 2, false)]
    await eventually('some traffic', async () =>
      loads.every((load) => load.count(200) > 50) ? true : undefined,
    )
    const before = killPrimary(proxy)
    assert.equal(before.length, workers + 1)
    // As whoever starts it again may take his time.
    await pause(1_000)
    const next = await startProxy(t, folder, workers)
    const endedMs = await untilEnded(before, 15_000)
    const served = loads.map((load) => load.count(200))
    await eventually('traffic of the next workers', async () =>
      loads.every((load, index) => load.count(200) > (served[index] ?? 0) + 50) ? true : undefined,
    )
    await Promise.all(loads.map((load) => load.stop()))
    const outcomes = loads.flatMap((load) => [...load.outcomes])
    const gapMs = Math.max(...loads.map((load) => load.longestGapMs))
    t.diagnostic(
      `${JSON.stringify(outcomes)}; longest gap ${gapMs.toFixed(0)} ms; the last of before ended ${endedMs.toFixed(0)} ms after the next were ready`,
    )
    assert.ok(loads.reduce((sum, load) => sum + load.failures, 0) <= failuresMax, JSON.stringify(outcomes))
    assert.ok(gapMs < gapMaxMs, `nobody was served for ${gapMs} ms`)
    await eventually('the removal of what was written down of them', async () =>
      readdirSync(join(folder, 'workers')).length === workers + 1 ? true : undefined,
    )
    assert.equal(await next.program.stop(), 0)
    assert.match(String(await get(port, false)), /ECONNREFUSED/)
    assert.deepEqual(readdirSync(join(folder, 'workers')), [])
  })
}

test('without a next one, workers that serve end after half a minute, and a spare one at once', async (t) => {
  const { proxy, port } = await startServing(t, 'left', 2)
  const serving = workerPids(proxy)
  const workers = killPrimary(proxy)
  const spare = workers.filter((pid) => !serving.includes(pid))
  assert.equal(spare.length, 1)
  await untilEnded(spare, 5_000)
  await pause(5_000)
  assert.equal(await get(port, false), 200)
  await untilEnded(workers)
  assert.match(String(await get(port, false)), /ECONNREFUSED/)
})

test('workers that are starting when the primary process is killed end', async (t) => {
  const started: number[] = []
  for (const afterMs of [0, 100, 300, 600, 1_000]) {
    const folder = newFolder()
    const proxy = await startProxy(t, folder, 2)
    const before = new Set(descendantsOf(proxy.program.pid))
    const [worker] = before
    assert.ok(worker)
    process.kill(worker, 'SIGKILL')
    const another = await eventually('another worker', async () =>
      descendantsOf(proxy.program.pid).find((pid) => !before.has(pid)),
    )
    await pause(afterMs)
    started.push(another, ...killPrimary(proxy))
  }
  await untilEnded(started)
})

test('workers that let their last requests end when the primary process is killed do so, and end', async (t) => {
  const { proxy, port } = await startServing(t, 'retiring', 2)
  const slow = [get(port, false, '/slow'), get(port, false, '/slow')]
  await pause(300)
  const workers = descendantsOf(proxy.program.pid)
  proxy.program.signal('SIGTERM')
  await pause(500)
  killPrimary(proxy)
  assert.deepEqual(await Promise.all(slow), [200, 200])
  await untilEnded(workers, 15_000)
})

test('a worker whose socket was on its way to the primary process when that was killed ends', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1')
  t.after(() => holder.close())
  const folder = newFolder()
  const proxy = await startProxy(t, folder, 1)
  const port = await freePort()
  holder.close()
  const blocker = createServer().listen(port, '127.0.0.1')
  await management.call('POST', 'services', { name: 'late', 'ip-address': '127.0.0.1', port })
  t.after(() => management.call('DELETE', 'services/late'))
  await management.addServer('late', 'one', shopPort)
  await management.untilHealth('services/late', 'Down', /cannot be opened/)
  const workers = descendantsOf(proxy.program.pid)
  // It acknowledges nothing any more; the worker tries the address again soon.
  proxy.program.signal('SIGSTOP')
  blocker.close()
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  killPrimary(proxy)
  await untilEnded(workers)
  assert.match(String(await get(port, false)), /ECONNREFUSED/)
})

test('a worker that hangs when the primary process is killed is killed by the next one', async (t) => {
  const { folder, proxy, port } = await startServing(t, 'hanging', 2)
  const [hanging = 0] = workerPids(proxy)
  process.kill(hanging, 'SIGSTOP')
  const workers = killPrimary(proxy)
  const next = await startProxy(t, folder, 2)
  await untilEnded(workers, 20_000)
  await next.program.line(new RegExp(`"workerPid":${hanging},"isKilled":true,`))
  // Connections that the kernel had given it are reset; of many that come later none waits for it.
  await eventually('twenty answers one after another', async () => {
    for (let count = 0; count < 20; count++) if ((await get(port, false)) !== 200) return undefined
    return true
  })
})

test('a worker that hangs when the proxy is asked to end is killed by it', async (t) => {
  const { proxy } = await startServing(t, 'asked', 1)
  const workers = descendantsOf(proxy.program.pid)
  for (const pid of workers) process.kill(pid, 'SIGSTOP')
  assert.equal(await proxy.program.stop(), 0)
  await untilEnded(workers, 1_000)
})

test('a proxy leaves the workers alone of one that runs with the same folder', async (t) => {
  const { folder, proxy, port } = await startServing(t, 'twice', 1)
  const workers = descendantsOf(proxy.program.pid)
  const second = await startProxy(t, folder, 1)
  assert.equal(await second.program.stop(), 0)
  assert.ok(workers.every((pid) => runs(pid)))
  assert.equal(await get(port, false), 200)
})
