import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { untilListening } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const run = promisify(execFile)
const client = '127.0.0.77'

let management: Management
let balancer: ChildProcess | undefined
let plain: number
let secure: number
/** Ports of HAProxy, each with what it writes before the client's bytes, and the port that it leads to. */
let ways: { readonly port: number; readonly sends: string; readonly to: number }[]
before(async () => {
  const behind = await application(({ headers }, response) => response.end(JSON.stringify(headers)))
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  await management.makeCertificate('site', 'shop.example.org')
  plain = await management.protect('plain', behind)
  secure = await management.protect('secure', behind, { type: 'HTTPS', certificate: 'site' })
  for (const service of ['plain', 'secure']) {
    await management.call('PUT', `services/${service}/advanced-configuration`, {
      'enable-http2': 'Yes',
      'enable-proxy-protocol': 'Yes',
    })
    await management.untilHealth(
      `services/${service}`,
      'Up',
      /^Every client is believed what it says of its address in its PROXY header: name your proxies/,
    )
    await management.call('PUT', `services/${service}/advanced-configuration`, {
      'proxy-list-status': 'Yes',
      'proxy-list': ['127.0.0.1'],
    })
    await management.untilHealth(`services/${service}`, 'Up', /^(?!Every client)/)
  }
  ways = []
  for (const to of [plain, secure]) {
    for (const sends of ['send-proxy', 'send-proxy-v2']) ways.push({ port: await freePort(), sends, to })
  }
  balancer = await startBalancer()
})
after(async () => {
  balancer?.kill()
  await cleanUpApplications()
  await cleanUp()
})

/** Debian's HAProxy, which hands connections on as they are. */
async function startBalancer(): Promise<ChildProcess> {
  const file = join(newFolder(), 'haproxy.cfg')
  const listeners = ways.map(
    ({ port, sends, to }) =>
      `listen to-${port}\n  bind 127.0.0.1:${port}\n  server palisade 127.0.0.1:${to} ${sends}\n`,
  )
  const defaults = 'defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n'
  writeFileSync(file, `${defaults}${listeners.join('')}`)
  const started = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  for (const { port } of ways) {
    await untilListening('HAProxy', port)
  }
  return started
}

const curl = async (...args: string[]) =>
  (await run('/usr/bin/curl', ['--silent', '--insecure', '--interface', client, ...args])).stdout

test('behind HAProxy servers and logs see the client, over HTTP/1.1, TLS and HTTP/2', async () => {
  let ran = 0
  for (const { port, sends, to } of ways) {
    for (const version of to === secure ? ['--http1.1', '--http2'] : ['--http1.1']) {
      const url = `${to === secure ? 'https' : 'http'}://127.0.0.1:${port}/?${sends}${version}`
      const seen = JSON.parse(await curl(version, url))
      assert.equal(seen['x-forwarded-for'], client, url)
      assert.equal(seen['x-real-ip'], client, url)
      ran++
    }
  }
  assert.equal(ran, 6)
  const entries = await management.entries('access-logs', (one) => one['client-ip'] === client, ran)
  assert.ok(entries.every((entry) => entry['proxy-ip'] === undefined || entry['proxy-ip'] === ''))
})

test('a client whose address is refused is refused behind HAProxy, and his neighbour is not', async () => {
  await management.call('PUT', 'custom-ip-blocklist', { 'blacklisted-ips': client })
  await management.call('PUT', 'services/plain/ip-reputation', {
    'enable-ip-reputation-filter': 'On',
    'custom-blacklisted-ip-status': 'Block',
  })
  await management.call('PUT', 'services/plain/basic-security', { mode: 'Active' })
  await management.untilHealth('services/plain', 'Up')
  const statusOf = async (address: string) => {
    const url = `http://127.0.0.1:${ways[1]?.port}/`
    const args = [
      '--silent',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
      '--interface',
      address,
      url,
    ]
    return (await run('/usr/bin/curl', args)).stdout
  }
  assert.equal(await statusOf(client), '403')
  assert.equal(await statusOf('127.0.0.78'), '200')
})

test('who comes past HAProxy is refused, whatever he writes', async () => {
  for (const port of [plain, secure]) {
    const scheme = port === secure ? 'https' : 'http'
    await assert.rejects(curl(`${scheme}://127.0.0.1:${port}/`), 'from elsewhere')
    await assert.rejects(
      curl('--haproxy-protocol', `${scheme}://127.0.0.1:${port}/`),
      'from elsewhere, with a header',
    )
    await assert.rejects(run('/usr/bin/curl', ['-sk', `${scheme}://127.0.0.1:${port}/`]), 'without a header')
  }
  const told = await management.entries(
    'web-firewall-logs',
    (one) => /PROXY header/.test(one['attack-detail'] ?? ''),
    2,
  )
  assert.ok(told.some((entry) => entry['client-ip'] === client))
})
