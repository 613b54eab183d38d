import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried } from '../testing/carried.ts'

const head = (line: string, ...lines: string[]) => `${[line, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`
const post = `${head('POST /1 HTTP/1.1', 'Content-Length: 3')}abc`

/** What servers answer when they are let. */
async function patient(t: TestContext) {
  const requests: string[] = []
  const waiting: (() => void)[] = []
  const proxy = await carried(t, {
    application: (request, response) => {
      request.resume().on('end', () => {
        requests.push(request.url ?? '')
        waiting.push(() => response.end(`answer to ${request.url}`))
      })
    },
  })
  const client = connect(proxy.port, '127.0.0.1')
  t.after(() => client.destroy())
  let reply = ''
  client.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  const closed = once(client, 'close')
  /** Lets the server answer one request after the other, until the connection ends. */
  const answers = async () => {
    let isClosed = false
    void closed.then(() => {
      isClosed = true
    })
    while (!isClosed) {
      waiting.shift()?.()
      await pause(1)
    }
    return reply
  }
  const reached = async (count: number) => {
    while (requests.length < count) await pause(1)
  }
  return { ...proxy, client, seen: requests, reached, answers }
}

for (const rest of ['=1&b=2', '\0\0\0\0\0\0\0', 'GET /2 HTTP/1.1\n\n', head('GET /2 HTTP/1.1', 'X: \0')]) {
  test(`a request that has come whole is answered although ${JSON.stringify(rest)} comes behind it, and that is refused`, async (t) => {
    const { client, seen, reached, answers, refused, exchanges } = await patient(t)
    client.write(post)
    await reached(1)
    client.write(rest)
    while (refused.length === 0) await pause(1)
    assert.match(
      await answers(),
      /^HTTP\/1\.1 200 OK\r\n(?:[\w-]+: .*\r\n)*Connection: close\r\n(?:[\w-]+: .*\r\n)*\r\nanswer to \/1$/,
    )
    assert.deepEqual([seen, exchanges.map(({ status }) => status)], [['/1'], [200]])
    assert.deepEqual(
      refused.map(({ violation }) => violation.attack),
      ['invalid-or-malformed-http-request'],
    )
  })
}

test('of requests that come at once, those that came whole are answered in turn, and the broken one is carried nowhere', async (t) => {
  const { client, seen, answers, refused } = await patient(t)
  const broken = `${head('POST /3 HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`
  client.write(post + head('GET /2 HTTP/1.1') + broken)
  const replyText = await answers()
  assert.deepEqual(replyText.match(/answer to \/\d|Connection: close|HTTP\/1\.1 \d+/g), [
    'HTTP/1.1 200',
    'answer to /1',
    'HTTP/1.1 200',
    'Connection: close',
    'answer to /2',
  ])
  assert.deepEqual([seen, refused.length], [['/1', '/2'], 1])
})

test('a request whose own body is broken is refused at once, with an id of its own', async (t) => {
  const { client, seen, answers, refused, exchanges } = await patient(t)
  client.write(`${head('POST /1 HTTP/1.1', 'Transfer-Encoding: chunked')}1\r\nxx\r\n`)
  const replyText = await answers()
  assert.match(replyText, /^HTTP\/1\.1 400 /)
  assert.deepEqual(seen, [])
  assert.equal(refused[0]?.requestId, exchanges[0]?.id)
  assert.ok(replyText.includes(`Request ${exchanges[0]?.id}<`))
})
