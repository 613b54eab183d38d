import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const skip = notInstalled('/usr/share/modsecurity-crs/owasp-crs.load')
const attack = `/search?q=${encodeURIComponent("1' OR '1'='1' UNION SELECT password FROM users--")}`

test('a server of an application that ends is told of, graver when it is the last, until it is back', {
  skip,
}, async () => {
  const watched = await WatchedServer.start(provisioned)
  await ProxyProcess.start(watched.server, newFolder(), { spareWorker: true })
  const management = await Management.connect(watched.server)
  const shopPort = await freePort()
  const start = () => createServer((_, response) => response.end('shop')).listen(shopPort, '127.0.0.1')
  let shop = start()
  const port = await management.protect('shop', shopPort)
  await management.untilHealth('services/shop', 'Up')
  const ask = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    await reply.text()
    return reply.status
  }
  assert.equal(await ask(), 200)
  shop.close().closeAllConnections()
  // Proxies learn it from traffic.
  for (let count = 0; count < 5; count++) {
    assert.notEqual(await ask(), 200)
    await delay(200)
  }
  const down = await watched.raised('server-down')
  assert.deepEqual([down.service, down.subject, down.severity], ['firewall', 'server shop/one', 'critical'])
  shop = start()
  const isBack = watched.resolved(down, 60_000)
  let waits = true
  void isBack.finally(() => {
    waits = false
  })
  while (waits) {
    await ask()
    await delay(500)
  }
  await isBack
  shop.close().closeAllConnections()
  await watched.stop()
})

test('a hundred attacks that are refused within minutes are told of, until they are over', {
  skip,
}, async () => {
  const watched = await WatchedServer.start(provisioned)
  await ProxyProcess.start(watched.server, newFolder(), { spareWorker: true })
  const management = await Management.connect(watched.server)
  const port = await management.protect('shop', await application((_, response) => response.end('shop')))
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  await management.untilHealth('services/shop', 'Up')
  for (let count = 0; count < 100; count++) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    assert.equal(reply.status, 403)
    await reply.text()
  }
  // Proxies tell what they have counted once a minute at least.
  const wave = await watched.raised('attack-wave', 90_000)
  assert.deepEqual([wave.service, wave.subject, wave.severity], ['firewall', 'service shop', 'warning'])
  assert.match(wave.message, /^100 requests to the service were denied as attacks /)
  watched.setBack('UPDATE firewall_traffic_counter SET minute = minute - 360000')
  await watched.resolved(wave)
  await watched.stop()
})

test('services without rules and services that clients cannot reach are told of until there are some', {
  skip,
}, async () => {
  const watched = await WatchedServer.start(provisioned)
  const management = await Management.connect(watched.server)
  const shopPort = await application((_, response) => response.end('shop'))
  const folder = newFolder()
  const without = await ProxyProcess.start(watched.server, folder, {
    spareWorker: true,
    rules: { folder: newFolder() },
  })
  await management.protect('shop', shopPort)
  const noRules = await watched.raised('no-rules')
  assert.deepEqual([noRules.service, noRules.severity], ['firewall', 'critical'])
  await without.program.stop()
  await ProxyProcess.start(watched.server, folder, { spareWorker: true })
  await watched.resolved(noRules)

  const port = await freePort()
  const blocker = createServer().listen(port, '127.0.0.1')
  await management.call('POST', 'services', { name: 'mail', 'ip-address': '127.0.0.1', port: port })
  await management.addServer('mail', 'one', shopPort)
  const unserved = await watched.raised('unserved-services')
  assert.match(unserved.message, /^Clients cannot reach 1 firewall services/)
  blocker.close()
  await watched.resolved(unserved)
  await watched.stop()
})
