import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { RequestLoad } from './support/firewall/request-load.ts'
import { eventually } from './support/programs/calls.ts'
import { descendantsOf, runs } from './support/programs/process-state.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

/** Connections of a load that are cut, or were just being accepted, when a worker ends: one request each. */
const failuresMax = 4

/** A loaded machine may keep those that serve from it while the next start; it was a quarter of a second. */
const gapMaxMs = 5_000

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

test('a server that is asked to carries the traffic itself, without a pause when its proxy is killed, and ends with it', async (t) => {
  const behind = await application((_, response) => response.end('served'))
  const metricsPort = await freePort()
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true, proxyMetrics: { port: metricsPort } },
  })
  // A loaded machine takes its time to start two more processes.
  await server.program.line(/"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const port = await management.protect('shop', behind)
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(figures, /^palisade_proxy_primary_process_start_time_seconds /m)
  const toFigures = { name: 'figures', 'ip-address': '127.0.0.1', port: metricsPort }
  await assert.rejects(
    management.call('POST', 'services/shop/servers', toFigures),
    /the system itself listens there/,
  )

  const [, pid] = await server.program.line(/"pid":(\d+),.*"msg":"carrying traffic"/)
  const loads = [new RequestLoad(port, 2, true), new RequestLoad(port, 2, false)]
  const workers = descendantsOf(Number(pid))
  process.kill(Number(pid), 'SIGKILL')
  await eventually('the end of the workers of before', async () =>
    workers.some((worker) => runs(worker)) ? undefined : true,
  )
  await Promise.all(loads.map((load) => load.stop()))
  const outcomes = JSON.stringify(loads.flatMap((load) => [...load.outcomes]))
  const gapMs = Math.max(...loads.map((load) => load.longestGapMs))
  t.diagnostic(`${outcomes}; longest gap ${gapMs.toFixed(0)} ms`)
  assert.ok(loads.reduce((sum, load) => sum + load.failures, 0) <= failuresMax, outcomes)
  assert.ok(gapMs < gapMaxMs, `nobody was served for ${gapMs} ms`)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)

  assert.equal(await server.program.stop(), 0)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
})

test('workers of a proxy that was killed end with the server, also before there is another proxy', async () => {
  const behind = await application((_, response) => response.end('served'))
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true },
  })
  const [, pid] = await server.program.line(/"pid":(\d+),.*"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const port = await management.protect('shop', behind)
  await management.untilHealth('services/shop', 'Up')
  const workers = descendantsOf(Number(pid))
  process.kill(Number(pid), 'SIGKILL')
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
  assert.equal(await server.program.stop(), 0)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
  assert.deepEqual(
    workers.filter((worker) => runs(worker)),
    [],
  )
})

test('the proxy of a server goes by the rules of the folder that the configuration names', async () => {
  const ruleFolder = newFolder()
  const rule = 'SecRule ARGS "@streq forbidden" "id:1000,phase:2,deny,status:403"'
  writeFileSync(join(ruleFolder, 'own.conf'), rule)
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true, ruleFolder },
  })
  await server.program.line(/"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const port = await management.protect('shop', await application((_, response) => response.end('served')))
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  await management.untilHealth('services/shop', 'Up')
  const statusOf = async (word: string) => (await fetch(`http://127.0.0.1:${port}/?word=${word}`)).status
  assert.equal(await statusOf('welcome'), 200)
  assert.equal(await statusOf('forbidden'), 403)
  // An attack for the Core Rule Set, which is not in this folder.
  assert.equal(await statusOf('1%27%20or%201%3D1--%20'), 200)
})

test('what a proxy told that was stopped is gone with it, not half a minute later', async () => {
  const server = await Server.start(newFolder(), provisioned)
  const management = await Management.connect(server)
  const behind = await application((_, response) => response.end('served'))
  const proxy = await ProxyProcess.start(server, newFolder(), { workers: 1, spareWorker: true })
  await management.protect('shop', behind)
  await management.untilHealth('services/shop', 'Up')
  assert.equal(await proxy.program.stop(), 0)
  const { data } = await management.call('GET', 'services/shop?category=operational')
  const [members] = Object.values(data as Record<string, Record<string, string>>)
  assert.equal(members?.['operational-status'], 'Down')
  assert.match(members?.['status-reason'] ?? '', /^Nothing that carries traffic has reported\./)
})
