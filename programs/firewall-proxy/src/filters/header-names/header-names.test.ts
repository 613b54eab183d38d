import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { carried, exchangeBytes, type GivenService } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { protectsCards, testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'

/** As programs see the names of headers that get them as variables (RFC 3875, section 4.1.18). */
const asVariable = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '_')

const echo: RequestListener = ({ rawHeaders }, response) => {
  response.end(JSON.stringify(rawHeaders.filter((_, index) => index % 2 === 0)))
}

/** The names of headers that the application gets for a request with these, each with the value "x". */
async function reaching(
  t: TestContext,
  service: GivenService['service'],
  names: readonly string[],
  policy = testPolicy(),
) {
  const { port } = await carried(t, {
    application: echo,
    rules: emptyRuleSets,
    policy,
    ...(service ? { service } : {}),
  })
  const lines = names.map((name) => `${name}: x\r\n`).join('')
  const answer = await exchangeBytes(port, `GET / HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`)
  return namesIn(answer)
}

function namesIn(answer: string): string[] {
  return JSON.parse(/\[.*\]/.exec(answer)?.[0] ?? '')
}

const lookalikes = [
  'X_Forwarded_For',
  'X_Forwarded-For',
  'x.forwarded.proto',
  'X_Real_IP',
  'X_REQUEST_ID',
  'Accept_Encoding',
  'Content_Length',
  'Content_Type',
  'Content_Encoding',
  'Transfer_Encoding',
  'Transfer~Encoding',
  'Keep_Alive',
  'Proxy_Connection',
  'Request_Range',
  'If_Range',
  'User_Agent',
  'True_Client_IP',
]

const others = ['X_Tenant', 'content_id', 'user_id', 'request_id', 'my.header', 'X-Api_Key']

test('a header whose name is read as one that matters does not reach the server, whatever the mode', async (t) => {
  for (const mode of ['off', 'passive', 'active'] as const) {
    const namesAtServer = await reaching(t, { inspection: { mode } }, [...lookalikes, ...others])
    assert.deepEqual(
      namesAtServer.filter((name) => lookalikes.includes(name)),
      [],
      mode,
    )
    assert.deepEqual(
      namesAtServer.filter((name) => others.includes(name)),
      others,
      mode,
    )
    const variables = namesAtServer.map(asVariable)
    assert.equal(new Set(variables).size, variables.length, 'each is told once')
  }
})

test('it is the same over HTTP/2', async (t) => {
  const { port } = await carried(t, { application: echo, rules: emptyRuleSets, service: { tls: http2Tls() } })
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  t.after(() => session.close())
  const lower = [...lookalikes, ...others].map((name) => name.toLowerCase())
  const stream = session.request({ ':path': '/', ...Object.fromEntries(lower.map((name) => [name, 'x'])) })
  let text = ''
  stream.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  await once(stream, 'end')
  const names = namesIn(text)
  for (const name of lookalikes) assert.ok(!names.includes(name.toLowerCase()), name)
  for (const name of others) assert.ok(names.includes(name.toLowerCase()), name)
})

test('what looks like a header by which an administrator decides does not reach the server', async (t) => {
  const place = { host: '*', url: '/*', sequence: 1 }
  const rewrite = {
    does: 'remove-header',
    condition: '(Header X-Conditional ex)',
    oldValue: '',
    newValue: '',
    continues: true,
  } as const
  const service: GivenService['service'] = {
    checks: testChecks({
      clientAddressHeader: 'x-my-client',
      urlPolicies: [
        {
          ...place,
          name: 'any',
          extendedMatch: '(Header X-Policy eq "1") || (Method eq PUT)',
          isPassive: false,
          protectsData: false,
        },
      ],
    }),
    rewriting: {
      requests: [
        { ...rewrite, header: 'X-Internal-User' },
        { ...rewrite, header: 'X_Own' },
      ],
      responses: [],
      bodies: [],
      translations: [],
      secureHosts: [],
    },
  }
  const refused = ['X_My_Client', 'X_Internal_User', 'X_Conditional', 'x.policy', 'X-Own', 'X_Global']
  const policy = testPolicy({
    globalAcls: [
      {
        ...place,
        name: 'global',
        extendedMatch: '(Header X-Global ex)',
        does: 'process',
        logs: false,
        denial: { kind: 'close' },
      },
    ],
  })
  const namesAtServer = await reaching(t, service, [...refused, 'X_Own', 'X_Other', 'X-Other'], policy)
  assert.deepEqual(
    namesAtServer.filter((name) => refused.includes(name)),
    [],
  )
  for (const name of ['X_Own', 'X_Other', 'X-Other']) assert.ok(namesAtServer.includes(name), name)
})

test('no header has a server compress a card number that it did not for Accept-Encoding', async (t) => {
  const page = `<p>4111 1111 1111 1111</p>`
  let compressed = 0
  const { port } = await carried(t, {
    ...protectsCards,
    application: ({ headers }, response) => {
      const isAsked = Object.keys(headers).some((name) => asVariable(name) === 'ACCEPT_ENCODING')
      if (isAsked) compressed++
      response.writeHead(200, {
        'content-type': 'text/html',
        ...(isAsked ? { 'content-encoding': 'gzip' } : {}),
      })
      response.end(isAsked ? gzipSync(page) : page)
    },
  })
  for (const name of ['Accept-Encoding', 'Accept_Encoding', 'accept.encoding']) {
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${name}: gzip\r\n\r\n`
    assert.match(await exchangeBytes(port, head), /XXXX XXXX XXXX 1111/, name)
  }
  assert.equal(compressed, 0)
})
