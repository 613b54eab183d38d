import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { carried, type GivenService } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets, ruleSetsOf } from '../testing/rules.ts'

const text = '<a href="/secret">http://inside/ 4111111111111111 leak</a>'
const part = { range: 'bytes=0-15' }

const types: Readonly<Record<string, string>> = {
  '/page': 'text/html',
  '/list': 'application/json',
  '/film': 'video/mp4',
}

/** Answers with parts, also those who ask by the older `Request-Range`. */
function serve({ headers, url = '' }: IncomingMessage, response: ServerResponse): void {
  const type = types[url] ?? 'text/html'
  const rangeHeader = headers.range ?? headers['request-range']
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)/.exec(String(rangeHeader)) ?? []
  const bytes = text.slice(Number(first), Number(last) + 1)
  const range = { 'content-range': `bytes ${first}-${last}/${text.length}` }
  if (rangeHeader === undefined) response.writeHead(200, { 'content-type': type }).end(text)
  else if (rangeHeader.includes(',')) {
    response.writeHead(206, { 'content-type': 'multipart/byteranges; boundary=b' })
    response.end(`--b\r\nContent-Type: ${type}\r\n${range['content-range']}\r\n\r\n${bytes}\r\n--b--\r\n`)
  } else response.writeHead(206, { 'content-type': type, ...range }).end(bytes)
}

/** Carries a service whose server answers with parts, and says what it was asked for. */
async function partly(t: TestContext, service: Partial<GivenService>, application = serve) {
  const ranges: string[] = []
  const { port } = await carried(t, {
    application: (request, response) => {
      const { range, 'request-range': older } = request.headers
      ranges.push(String(older ?? range ?? 'all'))
      request.resume()
      application(request, response)
    },
    ...service,
  })
  const ask = async (path: string, headers: Record<string, string> = part, method = 'GET') => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
    return { status: reply.status, body: await reply.text(), asked: ranges.splice(0) }
  }
  return { ask }
}

const place = { name: 'all', host: '*', url: '/*' }
const off = { inspection: { mode: 'off' } } as const
const active = { inspection: { mode: 'active' } } as const
const nothing = { requests: [], responses: [], bodies: [], translations: [], secureHosts: [] }
const outside = { ...place, search: 'http://inside/', replacement: 'http://outside/' }
const rewriting = { service: { ...off, rewriting: { ...nothing, bodies: [outside] } } }
const judging = {
  rules: ruleSetsOf('SecRule RESPONSE_BODY "@rx leak" "id:1,phase:4,deny,status:403"'),
  service: active,
}

/** Services that look at texts or change them, and what a client gets of the whole. */
const looking: readonly [Partial<GivenService>, status: number, body: RegExp][] = [
  [rewriting, 200, /http:\/\/outside\//],
  [
    {
      service: {
        ...off,
        urlEncryption: {
          keys: [{ id: 1, secret: Buffer.alloc(32, 1).toString('base64url') }],
          rules: [{ ...place, allowsPlainRequests: true, excludedUrls: [] }],
        },
      },
    },
    200,
    /^(?!.*secret).*leak/,
  ],
  [
    {
      rules: emptyRuleSets,
      service: {
        ...active,
        checks: testChecks({
          urlPolicies: [{ ...place, extendedMatch: '*', sequence: 1, isPassive: false, protectsData: true }],
        }),
      },
      policy: testPolicy({
        protectedData: [
          {
            name: 'cards',
            does: 'cloak',
            keepsInitial: 0,
            keepsTrailing: 4,
            patterns: [
              { type: 'data', name: 'card', isCaseSensitive: false, isPassive: false, regex: '\\d{16}' },
            ],
          },
        ],
      }),
    },
    200,
    /X{12}1111/,
  ],
  [judging, 403, /blocked/],
]

test('who asks for a part of a text that is looked at gets the whole, as those leave it who look', async (t) => {
  for (const [requestHeaders, status, body] of looking) {
    const { ask } = await partly(t, requestHeaders)
    for (const headers of [
      part,
      { range: 'bytes=0-15,20-25' },
      { range: 'bytes=0-15', 'if-range': '"a"' },
      { 'request-range': 'bytes=0-15' },
    ]) {
      const answer = await ask('/page', headers)
      assert.deepEqual([answer.status, answer.asked.at(-1)], [status, 'all'], JSON.stringify(headers))
      assert.match(answer.body, body)
    }
  }
})

test('parts of films are passed on, and of texts at which nobody looks', async (t) => {
  for (const [headers, path] of [
    [rewriting, '/film'],
    [judging, '/film'],
    [judging, '/list'],
    [{ service: off }, '/page'],
  ] as const) {
    const { ask } = await partly(t, headers)
    const answer = await ask(path)
    assert.deepEqual(answer, { status: 206, body: text.slice(0, 16), asked: [part.range] }, path)
  }
})

test('where answers are looked at, requests that are no plain GET never ask for parts', async (t) => {
  const { ask } = await partly(t, rewriting)
  const { status, body, asked } = await ask('/page', part, 'POST')
  assert.deepEqual([status, asked], [200, ['all']])
  assert.match(body, /outside/)
})

test('a part for which nobody has asked is not passed on where somebody has to see the whole', async (t) => {
  const { ask } = await partly(t, rewriting, (_, response) => {
    response.writeHead(206, { 'content-type': 'text/html', 'content-range': 'bytes 5-9/70' }).end('secre')
  })
  const { status, body } = await ask('/page', {})
  assert.equal(status, 502)
  assert.doesNotMatch(body, /secre/)
})

test('some of the items of a list are an answer like others', async (t) => {
  const { ask } = await partly(t, rewriting, (_, response) => {
    response.writeHead(206, { 'content-type': 'application/json', 'content-range': '0-1/9' }).end(text)
  })
  const { status, body, asked } = await ask('/list', { range: '0-1' })
  assert.deepEqual([status, asked], [206, ['0-1']])
  assert.match(body, /outside/)
})
