import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { SnapshotBot, SnapshotBots, SnapshotScrapingPolicy } from '@palisade/proxy-protocol'
import ipaddr from 'ipaddr.js'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'
import { BotProof } from './bot-proof.ts'

const google: SnapshotBot = {
  name: 'Google',
  userAgent: 'Googlebot',
  provedBy: 'hosts',
  hosts: ['*.googlebot.com'],
  addresses: [],
}
const own: SnapshotBot = {
  ...google,
  name: 'own',
  userAgent: 'OwnBot',
  provedBy: 'addresses',
  addresses: ['192.0.2.7'],
}

function scraping(more: Partial<SnapshotScrapingPolicy> = {}): SnapshotScrapingPolicy {
  return {
    name: 'traps',
    host: '*',
    url: '/*',
    extendedMatch: '*',
    sequence: 1,
    isPassive: false,
    forbidsUrl: true,
    hidesLink: true,
    asksForDelay: true,
    delaySeconds: 7,
    welcome: [own],
    ...more,
  }
}

async function asked(t: TestContext, bots: Partial<SnapshotBots>, mode: 'active' | 'passive' = 'active') {
  const keys = [{ id: 0, secret: Buffer.alloc(32, 7).toString('base64url') }]
  const { port, exchanges } = await carried(t, {
    application: ({ url }, response) => {
      if (url === '/robots.txt') response.statusCode = 404
      response.setHeader('content-type', url === '/data' ? 'application/json' : 'text/html; charset=utf-8')
      response.setHeader('etag', '"1"')
      response.end('<!doctype html><p>arrived</p>')
    },
    rules: emptyRuleSets,
    policy: testPolicy(),
    service: {
      inspection: { mode },
      trustedProxies: ['127.0.0.1'],
      checks: testChecks({
        bots: { keys, crawlers: [], policies: [], ...bots },
        clientAddressHeader: 'x-client',
      }),
    },
  })
  const ask = (target: string, ...headers: readonly string[]) =>
    exchangeBytes(port, [`GET ${target} HTTP/1.1`, 'Host: shop.example', ...headers, '', ''].join('\r\n'))
  return { ask, exchanges }
}

const linkIn = (answer: string) => /href="(\/[0-9a-f]+\/[0-9a-f]+)"/.exec(answer)?.[1] ?? ''

test('whoever pretends to be a bot is refused, in any case and in any header, and the bot itself is not', async (t) => {
  const { ask, exchanges } = await asked(t, { crawlers: [own] })
  for (const agent of ['User-Agent: OwnBot/1', 'user-agent: x ownbot', 'User-Agent: a\r\nUser-Agent: OWNBOT'])
    assert.match(await ask('/', agent), /^HTTP\/1\.1 403 /, agent)
  const [violation] = exchanges[0]?.violations ?? []
  assert.deepEqual(
    [violation?.attack, violation?.rule, violation?.action],
    ['web-scraping', 'fake-crawler', 'DENY'],
  )
  assert.match(await ask('/', 'User-Agent: OwnBot/1', 'X-Client: 192.0.2.7'), /arrived/)
  assert.match(await ask('/', 'User-Agent: other'), /arrived/)
})

test('who follows a link that nobody sees, or asks for what robots.txt forbids, is refused', async (t) => {
  const { ask, exchanges } = await asked(t, { policies: [scraping()] })
  const page = await ask('/')
  assert.doesNotMatch(page, /etag/i)
  const trap = linkIn(page)
  assert.notEqual(trap, '')
  const robots = await ask('/robots.txt')
  assert.match(robots, /^HTTP\/1\.1 200 /)
  assert.ok(
    robots.endsWith(
      `User-agent: *\nCrawl-delay: 7\nDisallow: ${trap.replace(/[^/]+$/, '')}\nDisallow: ${trap}\n`,
    ),
  )
  for (const spelt of [
    trap,
    `/${trap}`,
    `/x/..${trap}`,
    trap.toUpperCase().replace(/./g, (sign) => (/[0-9]/.test(sign) ? `%3${sign}` : sign.toLowerCase())),
    `${trap}?a=1`,
  ])
    assert.match(await ask(spelt), /^HTTP\/1\.1 403 /, spelt)
  assert.equal(exchanges.at(-1)?.violations[0]?.attack, 'web-scraping')
  assert.match(await ask(trap, 'X-Client: 192.0.2.9'), /arrived/, 'led there by another one')
  assert.equal(linkIn(await ask('/', 'Sec-Fetch-Dest: empty')), '')
  assert.equal(linkIn(await ask('/data')), '')
  const welcome = ['User-Agent: OwnBot', 'X-Client: 192.0.2.7']
  assert.match(await ask(linkIn(await ask('/', ...welcome)), ...welcome), /arrived/)
})

test('in Passive mode a trap only logs, and where no policy sets one nothing is changed', async (t) => {
  const { ask, exchanges } = await asked(t, { policies: [scraping({ url: '/shop/*' })] }, 'passive')
  const trap = linkIn(await ask('/shop/'))
  assert.match(await ask(trap), /arrived/)
  assert.equal(exchanges.at(-1)?.violations[0]?.action, 'LOG')
  assert.match(await ask('/'), /etag[\s\S]*arrived<\/p>$/i)
})

test('a bot is proved by the name of its address, which has to lead back', async (t) => {
  const { port, questions } = await nameServer(t, {
    '1.2.0.192.in-addr.arpa': 'crawl-1.googlebot.com',
    '2.2.0.192.in-addr.arpa': 'crawl-1.googlebot.com',
    '3.2.0.192.in-addr.arpa': 'crawl.googlebot.com.evil.example',
    'crawl-1.googlebot.com': '192.0.2.1',
    'crawl.googlebot.com.evil.example': '192.0.2.3',
    [`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]: 'crawl-6.googlebot.com',
    'crawl-6.googlebot.com': '2001:db8::1',
  })
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  const proof = new BotProof(resolver)
  for (const [address, expected] of [
    ['192.0.2.1', 'proved'],
    ['192.0.2.2', 'refuted'],
    ['192.0.2.3', 'refuted'],
    ['192.0.2.4', 'refuted'],
    ['2001:db8::1', 'proved'],
  ] as const)
    assert.equal(await proof.of(google, address, 0), expected, address)
  const asked = questions.length
  assert.equal(await proof.of(google, '192.0.2.1', 1), 'proved')
  assert.equal(questions.length, asked, 'it is remembered')
  resolver.setServers(['127.0.0.1:9'])
  assert.equal(await proof.of(google, '192.0.2.5', 0), 'unknown')
})

/** Answers questions for names with an address or another name, and that there is no such name. */
async function nameServer(t: TestContext, names: Readonly<Record<string, string>>) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, peer) => {
    const labels: string[] = []
    let at = 12
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    questions.push(name)
    const answer = names[name]
    const head = Buffer.from(message.subarray(0, at + 5))
    head.writeUInt16BE(answer === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(answer === undefined ? 0 : 1, 6)
    head.fill(0, 8, 12)
    const [type, data] = isIP(answer ?? '') ? addressRecord(answer ?? '') : [12, nameBytes(answer ?? '')]
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
    socket.send(answer === undefined ? head : Buffer.concat([head, record, data]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { port: socket.address().port, questions }
}

function addressRecord(address: string): readonly [type: number, data: Buffer] {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  return [bytes.length === 4 ? 1 : 28, bytes]
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}
