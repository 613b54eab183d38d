import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotPattern, SnapshotProtectedData } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { cardNumbers, protectsCards, testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'

const pattern = { type: 'data', isCaseSensitive: false, isPassive: false }
const listing: SnapshotPattern = { ...pattern, name: 'index', regex: '<title>Index of /' }

const block: SnapshotProtectedData = { ...cardNumbers, name: 'listings', does: 'block', patterns: [listing] }

interface Told {
  readonly data: readonly SnapshotProtectedData[]
  readonly chunks: readonly string[]
  readonly type?: string
  readonly coding?: string
  readonly mode?: 'active' | 'passive'
  readonly isPassive?: boolean
  readonly url?: string
}

/** What a client gets of an answer that comes in these chunks, and what is told of it. */
async function answerOf(t: TestContext, told: Told) {
  const {
    data,
    chunks,
    type = 'text/html',
    coding,
    mode = 'active',
    isPassive = false,
    url = '/data/*',
  } = told
  const place = { host: '*', url, extendedMatch: '*', sequence: 1 }
  const { port, exchanges } = await carried(t, {
    application: async (_, response) => {
      response.writeHead(200, {
        'content-type': type,
        ...(coding === undefined ? {} : { 'content-encoding': coding }),
      })
      for (const chunk of chunks) {
        response.write(chunk)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      response.end()
    },
    service: {
      inspection: { mode },
      checks: testChecks({ urlPolicies: [{ name: 'data', ...place, isPassive, protectsData: true }] }),
    },
    rules: emptyRuleSets,
    policy: testPolicy({ protectedData: data }),
  })
  const reply = await fetch(`http://127.0.0.1:${port}/data/x`)
  const text = await reply.text()
  return {
    status: reply.status,
    text,
    told: exchanges[0]?.violations.map(({ action, rule }) => [action, rule]),
  }
}

const number = '4111 1111 1111 1111'
const overwritten = 'XXXX XXXX XXXX 1111'
const filler = 'lorem ipsum '.repeat(200)

test('data is overwritten wherever the chunks end, and everything else stays as it was', async (t) => {
  const whole = `<p>${filler}${number}</p>${filler}4111 1111 1111 1112 é ${number}`
  const expected = `<p>${filler}${overwritten}</p>${filler}4111 1111 1111 1112 é ${overwritten}`
  const place = 3 + filler.length
  for (const cut of [place, place + 1, place + 9, place + number.length, place + number.length + 1, 10]) {
    const chunks = [whole.slice(0, cut), whole.slice(cut)]
    const { text, told } = await answerOf(t, { data: [cardNumbers], chunks })
    assert.equal(text, expected, `cut at ${cut}`)
    assert.deepEqual(told, [['CLOAK', 'cards']])
  }
  const single = await answerOf(t, { data: [cardNumbers], chunks: Array.from(`a ${number} b`) })
  assert.equal(single.text, `a ${overwritten} b`)
})

test('a number that goes on is none', async (t) => {
  const longer = `${number}${'1'.repeat(600)}`
  assert.equal(
    (await answerOf(t, { data: [cardNumbers], chunks: [longer.slice(0, 19), longer.slice(19)] })).text,
    longer,
  )
  const before = `${'1'.repeat(2000)}${number.replaceAll(' ', '')}`
  assert.equal(
    (await answerOf(t, { data: [cardNumbers], chunks: [before.slice(0, 1500), before.slice(1500)] })).text,
    before,
  )
})

test('an answer that gives away what is to be blocked is replaced', async (t) => {
  const chunks = [`<html>${filler}<title>Ind`, 'ex of /</title>']
  const { status, text, told } = await answerOf(t, { data: [cardNumbers, block], chunks })
  assert.deepEqual([status, text], [403, 'refused: identity-theft-pattern-matched'])
  assert.deepEqual(told, [['DENY', 'listings']])
})

test('an answer that is too long to be held ends where it would give something away', async (t) => {
  const chunks = [...Array.from({ length: 12 }, () => 'x'.repeat(64 * 1024)), '<title>Index of /']
  // Of this type, rules do not read it.
  await assert.rejects(answerOf(t, { data: [block], chunks, type: 'application/json' }))
})

test('data is overwritten also where a server names a coding that is none', async (t) => {
  for (const coding of ['identity', 'none', 'utf-8', 'identity, identity', '']) {
    const { text } = await answerOf(t, { data: [cardNumbers], chunks: [number], coding })
    assert.equal(text, overwritten, coding)
  }
})

test('what is passive, elsewhere or no text is left alone', async (t) => {
  const service = { data: [cardNumbers, block], chunks: [number, '<title>Index of /'] }
  const untouched = service.chunks.join('')
  const logged = [
    ['LOG', 'cards'],
    ['LOG', 'listings'],
  ]
  for (const [more, told] of [
    [{ mode: 'passive' }, logged],
    [{ isPassive: true }, logged],
    [{ url: '/other' }, []],
    [{ type: 'image/png' }, []],
  ] as const) {
    const answer = await answerOf(t, { ...service, ...more })
    assert.deepEqual([answer.text, answer.told], [untouched, told], JSON.stringify(more))
  }
})

/** What a client gets, as it came, of an answer of the server's, for a request with these lines. */
async function rawAnswer(
  t: TestContext,
  answer: string,
  {
    mode = 'active',
    data = [cardNumbers],
    asked: target = '',
  }: { mode?: 'active' | 'passive'; data?: (typeof block)[]; asked?: string } = {},
) {
  const { port, exchanges } = await carried(t, {
    ...protectsCards,
    service: { ...protectsCards.service, inspection: { mode } },
    policy: testPolicy({ protectedData: data }),
    application: (request) => request.socket.end(answer, 'latin1'),
  })
  const bytes = await exchangeBytes(
    port,
    `GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n${target}\r\n`,
  )
  return { bytes, told: exchanges[0]?.violations.map(({ action, rule }) => [action, rule]) }
}

const heads = [
  ['X-Card: 4111 1111 1111 1111', 'X-Card: XXXX XXXX XXXX 1111'],
  ['Location: /pay?n=4111111111111111&x=1', 'Location: /pay?n=XXXXXXXXXXXX1111&x=1'],
  ['Location: /pay?n=4111%201111+1111%2D1111', 'Location: /pay?n=XXXX%20XXXX+XXXX%2D1111'],
  ['Link: </c/4111-1111-1111-1111>; rel=next', 'Link: </c/XXXX-XXXX-XXXX-1111>; rel=next'],
  [
    'Set-Cookie: card=4111111111111111; Path=/4111111111111111',
    'Set-Cookie: card=XXXXXXXXXXXX1111; Path=/4111111111111111',
  ],
  ['Set-Cookie: card=%34111111111111111', 'Set-Cookie: card=XXXXXXXXXXXX1111'],
] as const

test('data is overwritten in headers, in the reason and in trailers, and what caches go by stays', async (t) => {
  for (const [header, expected] of heads) {
    const { bytes, told } = await rawAnswer(t, `HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: 0\r\n\r\n`)
    assert.ok(bytes.includes(`\r\n${expected}\r\n`), `${header} ${bytes}`)
    assert.deepEqual(told, [['CLOAK', 'cards']], header)
  }
  const more = await rawAnswer(
    t,
    `HTTP/1.1 200 card ${number}\r\nTransfer-Encoding: chunked\r\nContent-Type: image/png\r\nETag: "4111111111111111"\r\n\r\n0\r\nX-Card: ${number}\r\n\r\n`,
  )
  assert.match(more.bytes, /^HTTP\/1\.1 200 card XXXX XXXX XXXX 1111\r\n/)
  assert.ok(more.bytes.includes(`X-Card: ${overwritten}`))
  assert.ok(more.bytes.includes('"4111111111111111"'))
})

test('an answer whose headers give away what is to be blocked is replaced, and its trailers are left out', async (t) => {
  const data = [{ ...cardNumbers, does: 'block' as const }]
  const [first] = heads
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n'
  const { bytes } = await rawAnswer(t, `${head}${first[0]}\r\nContent-Length: 0\r\n\r\n`, { data })
  assert.match(bytes, /^HTTP\/1\.1 403 .*refused: identity-theft-pattern-matched$/s)
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${first[0]}\r\n\r\n`
  const late = await rawAnswer(t, chunked, { data })
  assert.match(late.bytes, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(late.bytes, /4111/)
})

test('headers stay as they are where only the log is told', async (t) => {
  const [[header]] = heads
  const answer = `HTTP/1.1 200 OK\r\n${header}\r\nContent-MD5: x\r\nContent-Length: 0\r\n\r\n`
  const { bytes, told } = await rawAnswer(t, answer, { mode: 'passive' })
  assert.ok(bytes.includes(header))
  assert.deepEqual(told, [['LOG', 'cards']])
})

test('what was overwritten cannot be found out by a digest of the whole', async (t) => {
  const head =
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: "md5"\r\nContent-MD5: x\r\nDigest: md5=x\r\nRepr-Digest: md5=:x:\r\n'
  const { bytes } = await rawAnswer(t, `${head}Content-Length: ${number.length}\r\n\r\n${number}`)
  assert.ok(bytes.includes(overwritten))
  assert.match(bytes, /ETag: W\/"md5"/)
  assert.doesNotMatch(bytes, /md5=|content-md5/i)
})

test('files that are text are looked at whatever they are called, whole and as long as they are', async (t) => {
  const rows = `card\n${number}\n`
  for (const type of [
    'application/octet-stream',
    'application/csv',
    'application/x-unknown',
    'multipart/mixed',
  ]) {
    const length = `Content-Length: ${rows.length}`
    const { bytes } = await rawAnswer(
      t,
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${length}\r\n\r\n${rows}`,
    )
    assert.ok(bytes.endsWith(`\r\n\r\ncard\n${overwritten}\n`), type)
    assert.match(bytes, /content-length: 25/i, type)
  }
})

test('of several types the last counts, as it does for browsers', async (t) => {
  for (const [types, isText] of [
    ['image/png\r\nContent-Type: text/html', true],
    ['image/png, text/html; charset=utf-8', true],
    ['image/png; text/html', false],
    ['text/html\r\nContent-Type: image/png', false],
    ['png', true],
  ] as const) {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${types}\r\n`
    const { bytes } = await rawAnswer(t, `${head}Content-Length: ${number.length}\r\n\r\n${number}`)
    assert.equal(bytes.includes(number), !isText, types)
  }
})

test('a part of a file that may be text is not passed on', async (t) => {
  for (const [type, isPassed] of [
    ['application/octet-stream', false],
    ['application/pdf', true],
    ['application/zip', true],
  ] as const) {
    const range = 'Content-Range: bytes 0-8/40\r\nContent-Length: 9'
    const answer = `HTTP/1.1 206 Partial Content\r\nContent-Type: ${type}\r\n${range}\r\n\r\n4111 1111`
    const { bytes } = await rawAnswer(t, answer, { asked: 'Range: bytes=0-8\r\n' })
    assert.equal(bytes.includes('4111 1111'), isPassed, type)
    assert.match(bytes, isPassed ? /^HTTP\/1\.1 206 / : /^HTTP\/1\.1 502 /, type)
  }
})
