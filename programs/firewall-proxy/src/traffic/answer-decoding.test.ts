import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { carried, exchangeBytes, type GivenService } from '../testing/carried.ts'
import { protectsCards } from '../testing/policies.ts'
import { emptyRuleSets, ruleSetsOf } from '../testing/rules.ts'

const page = `<p>${'lorem ipsum '.repeat(4000)}4111 1111 1111 1111</p>`
const masked = page.replace('4111 1111 1111', 'XXXX XXXX XXXX')

const coders: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => gzipSync(text),
  'X-GZIP': (text) => gzipSync(text),
  'gzip, identity': (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  'deflate ': (text) => deflateRawSync(text),
  br: (text) => brotliCompressSync(text),
  zstd: (text) => zstdCompressSync(text),
}

/** A server whose answers are coded whatever the request says. */
function coded(coding: string, body: Buffer, headers: Record<string, string> = {}): RequestListener {
  return async (_, response) => {
    const type = { 'content-type': 'text/html', 'content-encoding': coding }
    response.writeHead(200, { ...type, etag: '"1"', 'content-md5': 'x', ...headers })
    for (let at = 0; at < body.length; at += 700) {
      response.write(body.subarray(at, at + 700))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }
}

async function asking(t: TestContext, service: GivenService) {
  const { port, exchanges } = await carried(t, { ...service })
  const ask = (init?: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
  return { ask, port, exchanges }
}

test('what a server compresses although nobody asked for it is read, and no card number leaves', async (t) => {
  for (const [coding, code] of Object.entries(coders)) {
    const { ask } = await asking(t, { ...protectsCards, application: coded(coding, code(page)) })
    const reply = await ask()
    assert.equal(await reply.text(), masked, coding)
    const { headers } = reply
    assert.deepEqual(
      [headers.get('content-encoding'), headers.get('etag'), headers.get('content-md5')],
      [null, 'W/"1"', null],
      coding,
    )
  }
})

test('rules read what was compressed', async (t) => {
  const rules = ruleSetsOf('SecRule RESPONSE_BODY "@rx 4111 1111" "id:1,phase:4,deny,status:403"')
  const service = { inspection: { mode: 'active' } } as const
  const { ask } = await asking(t, { rules, service, application: coded('br', brotliCompressSync(page)) })
  assert.equal((await ask()).status, 403)
})

test('bodies are rewritten and links encrypted that were compressed, also where nothing is inspected', async (t) => {
  const place = { host: '*', url: '/*' }
  const nothing = { requests: [], responses: [], translations: [], secureHosts: [] }
  const search = { ...place, search: 'http://inside/', replacement: 'http://outside/' }
  const keys = [{ id: 1, secret: Buffer.alloc(32, 1).toString('base64url') }]
  const rule = { ...place, name: 'all', allowsPlainRequests: true, excludedUrls: [] }
  const application = coded('gzip', gzipSync('<a href="/secret">http://inside/</a>'))
  for (const [service, expected] of [
    [{ rewriting: { ...nothing, bodies: [search] } }, /^<a href="\/secret">http:\/\/outside\/<\/a>$/],
    [{ urlEncryption: { keys, rules: [rule] } }, /^(?!.*secret).*inside/],
  ] as const) {
    const { ask } = await asking(t, { application, service: { inspection: { mode: 'off' }, ...service } })
    assert.match(await (await ask()).text(), expected)
  }
})

test('what cannot be read is not passed on by a service that blocks, and is by one that only logs', async (t) => {
  for (const coding of ['compress', 'gzip, gzip', 'br;q=1', 'exi']) {
    for (const [mode, status] of [
      ['active', 502],
      ['passive', 200],
    ] as const) {
      const service = { ...protectsCards.service, inspection: { mode } }
      const application = coded(coding, gzipSync(page))
      const { port, exchanges } = await carried(t, { ...protectsCards, service, application })
      const answer = await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), `${coding} ${mode}`)
      assert.equal(answer.includes('\x1f\x8b'), mode === 'passive', coding)
      const [violation] = exchanges[0]?.violations ?? []
      assert.match(violation?.detail ?? '', /content coding/, coding)
    }
  }
})

test('a body that is not in its coding is no usable answer', async (t) => {
  const { ask } = await asking(t, { ...protectsCards, application: coded('gzip', Buffer.from(page)) })
  assert.equal((await ask()).status, 502)
})

test('a body that breaks off in its coding is passed on as far as it was read', async (t) => {
  const whole = gzipSync(`4111 1111 1111 1111 ${page}`)
  const application = coded('gzip', whole.subarray(0, whole.length - 6))
  const { ask } = await asking(t, { ...protectsCards, application })
  assert.match(await (await ask()).text(), /^XXXX XXXX XXXX 1111 /)
})

test('nothing is unpacked that nobody looks at', async (t) => {
  const body = gzipSync(page)
  const plain = await asking(t, {
    rules: emptyRuleSets,
    service: { inspection: { mode: 'off' } },
    application: coded('gzip', body),
  })
  const image = coded('gzip', body, { 'content-type': 'image/x-icon' })
  const ofImages = await asking(t, { ...protectsCards, application: image })
  for (const { port } of [plain, ofImages]) {
    const answer = await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    assert.match(answer, /content-encoding: gzip/i)
    assert.ok(answer.includes(body.subarray(-200).toString('latin1')))
  }
})

test('an answer without a body keeps its coding, and an empty one stays empty', async (t) => {
  const { ask } = await asking(t, { ...protectsCards, application: coded('gzip', Buffer.alloc(0)) })
  assert.equal(await (await ask()).text(), '')
  const head = await ask({ method: 'HEAD' })
  assert.equal(head.headers.get('content-encoding'), 'gzip')
})

test('a page that unpacks to very much is read no faster than its client takes it', async (t) => {
  const bytes = 128 * 1024 * 1024
  const bomb = gzipSync(Buffer.alloc(bytes, 'a '))
  assert.ok(bomb.length < bytes / 500)
  const { ask } = await asking(t, { ...protectsCards, application: coded('gzip', bomb) })
  const reply = await ask()
  const before = process.memoryUsage().rss
  await new Promise((resolve) => setTimeout(resolve, 1000))
  assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024)
  await reply.body?.cancel()
})

test('a part of a coded text is not passed on where somebody has to see the whole', async (t) => {
  const body = gzipSync(page)
  const { ask } = await asking(t, {
    ...protectsCards,
    application: ({ headers }, response) => {
      const head = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
      if (headers.range === undefined) response.writeHead(200, head).end(body)
      else {
        const range = { 'content-range': `bytes 0-9/${body.length}` }
        response.writeHead(206, { ...head, ...range }).end(body.subarray(0, 10))
      }
    },
  })
  const reply = await ask({ headers: { range: 'bytes=0-9' } })
  assert.deepEqual([reply.status, await reply.text()], [200, masked])
})
