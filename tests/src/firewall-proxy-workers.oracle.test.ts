import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
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
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** Changes of the configuration under load; CHANGES=10000 is the long form. */
const changes = Number(process.env.CHANGES ?? 1_000)

/** Rules that block a client from its sixth request on, whichever worker gets it. */
const countingRules = `
SecAction "id:1,phase:1,nolog,pass,initcol:ip=%{REMOTE_ADDR},setvar:ip.requests=+1"
SecRule IP:requests "@gt 5" "id:2,phase:1,log,deny,status:403,msg:'too many requests'"
`

let server: Server
let proxy: ProxyProcess
let management: Management
let shopPort: number
let metricsPort: number
/** Requests for /slow that have come to the server. */
let slowArrived = 0
before(async () => {
  server = await Server.start()
  metricsPort = await freePort()
  proxy = await ProxyProcess.start(server, newFolder(), {
    workers: 3,
    spareWorker: true,
    metrics: { port: metricsPort },
  })
  management = await Management.connect(server)
  shopPort = await application(async (incoming, response) => {
    incoming.resume()
    if (incoming.url === '/slow') {
      slowArrived++
      await pause(1_500)
    }
    response.end('served')
  })
  await eventually('three workers', async () => (workerPids(proxy).length === 3 ? true : undefined))
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** How long nobody served in the places of workers that have ended, in milliseconds. */
function vacancies(of = proxy): number[] {
  const line = /"milliseconds":(\d+),"msg":"a worker serves in the place of one that has ended"/g
  return [...of.program.output.matchAll(line)].map(([, milliseconds]) => Number(milliseconds))
}

function sparesReady(of: ProxyProcess): number {
  return of.program.output.match(/"msg":"a spare worker is ready"/g)?.length ?? 0
}

test('when a worker is killed under load the others serve on, and the spare one takes its place', async (t) => {
  const port = await management.protect('robust', shopPort)
  await management.untilHealth('services/robust', 'Up')
  await eventually('a spare worker', async () => (sparesReady(proxy) > 0 ? true : undefined))
  const keepAliveLoad = new RequestLoad(port, 6, true)
  const fresh = new RequestLoad(port, 2, false)
  await eventually('some traffic', async () => (keepAliveLoad.count(200) > 50 ? true : undefined))
  const [pid] = workerPids(proxy)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  const served = keepAliveLoad.count(200)
  await eventually('traffic of the others', async () =>
    keepAliveLoad.count(200) > served + 50 ? true : undefined,
  )
  await eventually('another worker', async () => (workerPids(proxy).length === 4 ? true : undefined))
  await eventually('its service', async () => (vacancies().length === 1 ? true : undefined))
  t.diagnostic(`${vacancies()[0]} ms until another worker served`)
  await Promise.all([keepAliveLoad.stop(), fresh.stop()])
  // What was under way in that worker has failed, one request for each of its connections at most.
  assert.ok(
    keepAliveLoad.failures + fresh.failures <= 8,
    JSON.stringify([...keepAliveLoad.outcomes, ...fresh.outcomes]),
  )
  const after = [new RequestLoad(port, 6, true), new RequestLoad(port, 2, false)]
  for (const load of after) {
    await eventually('traffic of all', async () => (load.count(200) > 100 ? true : undefined))
  }
  for (const load of after) {
    await load.stop()
    assert.equal(load.failures, 0, JSON.stringify([...load.outcomes]))
  }
  assert.match(proxy.program.output, /"signal":"SIGKILL","msg":"a worker has ended and is replaced"/)
})

test(`${changes} changes of the configuration under load lose no request`, async () => {
  const port = await management.protect('steady', shopPort)
  await management.untilHealth('services/steady', 'Up')
  const snapshotCount = () => proxy.program.output.match(/"msg":"a snapshot was taken"/g)?.length ?? 0
  const before = snapshotCount()
  const load = new RequestLoad(port, 4, true)
  const fresh = new RequestLoad(port, 2, false)
  for (let change = 0; change < changes; change++) {
    await management.call('PUT', 'services/steady', { 'session-timeout': 60 + (change % 100) })
    if (change % 50 === 10) await management.protect('passing', shopPort)
    if (change % 50 === 40) await management.call('DELETE', 'services/passing')
  }
  await load.stop()
  await fresh.stop()
  assert.deepEqual(
    [load.failures, fresh.failures],
    [0, 0],
    JSON.stringify([...load.outcomes, ...fresh.outcomes]),
  )
  assert.ok(load.count(200) > changes / 10 && fresh.count(200) > changes / 50)
  assert.ok(snapshotCount() - before > changes / 20, `${snapshotCount() - before} snapshots`)
})

test('entries of all workers come together in one log, and figures at one address', async () => {
  const port = await management.protect('told', shopPort)
  await management.untilHealth('services/told', 'Up')
  const metric = 'palisade_proxy_requests_total{service="told",'
  const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const counts = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(metric) && line.includes('status="2xx"'))
      .map((line) => Number(line.split(' ').at(-1)))
  // Each over a connection of its own; the kernel deals them out by chance, so it goes on until all workers have some.
  let sent = 0
  await eventually('requests at all workers', async () => {
    for (let count = 0; count < 9; count++) assert.equal(await get(port, false, `/told-${++sent}`), 200)
    return counts(await figures()).length === 3 ? true : undefined
  })
  const entries = await management.entries('access-logs', (entry) => entry['service-name'] === 'told', sent)
  assert.equal(entries.length, sent)
  const text = await eventually(`figures of ${sent} requests`, async () => {
    const body = await figures()
    return counts(body).reduce((sum, count) => sum + count, 0) === sent ? body : undefined
  })
  for (const name of [
    'blocked_total',
    'received_bytes_total',
    'sent_bytes_total',
    'upstream_failures_total',
    'connections',
  ]) {
    assert.match(text, new RegExp(`^palisade_proxy_${name}\\{service="told",worker="1"\\} \\d+$`, 'm'))
  }
  assert.match(
    text,
    /^palisade_proxy_request_duration_seconds_bucket\{service="told",worker="1",le="\+Inf"\} \d+$/m,
  )
  assert.match(text, /^palisade_proxy_event_loop_delay_seconds\{worker="1",of="p99"\} [\d.e-]+$/m)
})

test('a proxy that cannot show its figures where it is to does not start, and leaves nothing running', async () => {
  const folder = newFolder()
  const file = join(folder, 'proxy.json')
  const key = 'of no management'
  writeFileSync(file, JSON.stringify({ key, stateDirectory: folder, metrics: { port: metricsPort } }))
  const program = new Program(['proxy', '--config', file])
  assert.equal((await program.ended()).status, 1)
  assert.match(
    program.output,
    /metrics names 127\.0\.0\.1, port \d+, which cannot be opened: another program listens there already$/m,
  )
})

test("a server's own cookie binds its client in all workers, and in those that come later", async () => {
  const names = ['one', 'two', 'three']
  const ports = await Promise.all(
    names.map((name) =>
      application((incoming, response) => {
        if (incoming.url === '/login') response.setHeader('set-cookie', `session=of-${name}`)
        response.end(name)
      }),
    ),
  )
  const [first = 0, ...others] = ports
  const port = await management.protect('bound', first, { status: 'Off' })
  for (const [index, other] of others.entries()) await management.addServer('bound', `other-${index}`, other)
  await management.call('PUT', 'services/bound/load-balancing', {
    'persistence-method': 'Cookie Passive',
    'persistence-cookie-name': 'session',
  })
  await management.call('PUT', 'services/bound', { status: 'On' })
  await management.untilHealth('services/bound', 'Up')
  const ask = async (path: string, cookie = '') => {
    const headers = { connection: 'close', ...(cookie === '' ? {} : { cookie }) }
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return { name: await reply.text(), cookies: reply.headers.getSetCookie().map((one) => one.split(';')[0]) }
  }
  const { name, cookies } = await ask('/login')
  const staysBound = () =>
    eventually(`requests at ${name}`, async () => {
      const all = await Promise.all(Array.from({ length: 18 }, () => ask('/', cookies.join('; '))))
      return all.every((one) => one.name === name) ? true : undefined
    })
  await staysBound()
  const ready = workerPids(proxy).length
  const pid = workerPids(proxy).at(-1)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await eventually('another worker', async () => (workerPids(proxy).length > ready ? true : undefined))
  await staysBound()
})

test('what rules store is known to all workers, and to those that come later', async () => {
  const folder = newFolder()
  const rules = join(folder, 'rules')
  mkdirSync(rules)
  writeFileSync(join(rules, 'counting.conf'), countingRules)
  const counting = await ProxyProcess.start(server, folder, {
    workers: 2,
    spareWorker: true,
    rules: { folder: rules },
  })
  await eventually('two workers', async () => (workerPids(counting).length === 2 ? true : undefined))
  await proxy.program.stop()
  const port = await management.protect('counted', shopPort, { 'enable-access-logs': 'No' })
  await management.call('PUT', 'services/counted/basic-security', { mode: 'Active' })
  const statuses = async (count: number) => {
    const outcomes: (number | string)[] = []
    for (let number = 0; number < count; number++) {
      outcomes.push(await get(port, false))
      // The exchange takes a moment.
      await pause(300)
    }
    return outcomes
  }
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  await eventually('the limit', async () => ((await get(port, false)) === 403 ? true : undefined))
  await pause(500)
  assert.deepEqual(await statuses(4), [403, 403, 403, 403])
  const [pid] = workerPids(counting)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await eventually('another worker', async () => (workerPids(counting).length === 3 ? true : undefined))
  assert.deepEqual(await statuses(4), [403, 403, 403, 403])
  await counting.program.stop()
})

test('requests under way end in peace when the proxy is asked to end', async () => {
  // A fresh folder would be one more proxy that the management waits for; here the traffic itself is asked.
  const ending = await ProxyProcess.start(server, newFolder(), { workers: 2, spareWorker: true })
  const port = await management.protect('ending', shopPort)
  await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
  const slow = [get(port, false, '/slow'), get(port, false, '/slow'), get(port, false, '/slow')]
  await eventually('the requests', async () => (slowArrived === slow.length ? true : undefined))
  ending.program.signal('SIGTERM')
  assert.deepEqual(await Promise.all(slow), [200, 200, 200])
  assert.deepEqual(await ending.program.ended(), { status: 0, signal: null })
})

for (const spareWorker of [true, false]) {
  const title = spareWorker ? 'with a spare one' : 'without a spare one'
  test(`clients of the only worker, ${title}, wait for the next when it is killed, and lose what was under way`, async (t) => {
    await proxy.program.stop()
    const single = await ProxyProcess.start(server, newFolder(), { workers: 1, spareWorker })
    t.after(() => single.program.stop())
    const port = await management.protect(`single-${spareWorker}`, shopPort)
    await eventually('the service', async () => ((await get(port, false)) === 200 ? true : undefined))
    if (spareWorker) {
      await eventually('a spare worker', async () => (sparesReady(single) > 0 ? true : undefined))
    }
    const load = new RequestLoad(port, 4, false)
    for (const kills of [1, 2]) {
      const served = load.count(200)
      await eventually('some traffic', async () => (load.count(200) > served + 20 ? true : undefined))
      const pid = workerPids(single).at(-1)
      assert.ok(pid)
      process.kill(pid, 'SIGKILL')
      await eventually('another worker', async () => (vacancies(single).length === kills ? true : undefined))
      if (spareWorker) {
        await eventually('another spare', async () => (sparesReady(single) > kills ? true : undefined))
      }
    }
    t.diagnostic(`${vacancies(single).join(' and ')} ms until another worker served`)
    await load.stop()
    assert.equal(load.count(`connect ECONNREFUSED 127.0.0.1:${port}`), 0)
    assert.ok(load.failures <= 8, JSON.stringify([...load.outcomes]))
  })
}
