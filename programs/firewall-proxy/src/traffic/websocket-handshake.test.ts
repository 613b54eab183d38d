import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { noRules } from '../testing/no-rules.ts'
import { switchingProtocols, webSocketRequest } from '../testing/web-socket.ts'
import { acceptFor } from './websocket-handshake.ts'

/** A service whose server answers with the status 101 and these headers, and says how its connection ended. */
async function agreeing(t: TestContext, accepting: Readonly<Record<string, string>>) {
  const ends: Promise<unknown>[] = []
  const { port } = await carried(t, {
    application: (request) => {
      ends.push(once(request.socket.resume(), 'close'))
      request.socket.write(`${switchingProtocols(request, accepting)}hello`)
    },
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const ask = (more = '') => exchangeBytes(port, webSocketRequest.replace('\r\n\r\n', `\r\n${more}\r\n`))
  return { ask, ends, port }
}

/** Answers that open no WebSocket, with what the request has besides. */
const faults: readonly [Readonly<Record<string, string>>, asked?: string][] = [
  [{ Upgrade: 'h2c' }],
  [{ Upgrade: 'websocket, h2c' }],
  [{ Upgrade: '' }],
  [{ Connection: 'keep-alive' }],
  [{ Connection: '' }],
  [{ 'Sec-WebSocket-Accept': '' }],
  [{ 'Sec-WebSocket-Accept': 'x' }],
  [{ 'Sec-WebSocket-Accept': acceptFor('BAAAAAAAAAAAAAAAAAAAAA==') }],
  [{ 'Sec-WebSocket-Protocol': 'chat' }],
  [{ 'Sec-WebSocket-Protocol': 'other' }, 'Sec-WebSocket-Protocol: chat, more\r\n'],
  [{ 'Sec-WebSocket-Protocol': 'chat, more' }, 'Sec-WebSocket-Protocol: chat, more\r\n'],
  [{ 'Sec-WebSocket-Extensions': 'permessage-deflate' }],
]

test('an answer that opens no WebSocket is a 502, and its connection is closed', async (t) => {
  let ran = 0
  for (const [reply, protocols] of faults) {
    const { ask, ends } = await agreeing(t, reply)
    const answer = await ask(protocols)
    assert.match(answer, /^HTTP\/1\.1 502 /, JSON.stringify(reply))
    assert.doesNotMatch(answer, /hello/)
    await Promise.all(ends)
    ran += ends.length
  }
  assert.equal(ran, faults.length)
})

test('an answer that agrees to what was offered opens the WebSocket', async (t) => {
  const offer =
    'Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: more\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n'
  const agreed = {
    Upgrade: 'WebSocket',
    Connection: 'keep-alive, upgrade',
    'Sec-WebSocket-Protocol': 'more',
    'Sec-WebSocket-Extensions': 'permessage-deflate; server_no_context_takeover',
  }
  const { ask } = await agreeing(t, agreed)
  assert.match(await ask(offer), /^HTTP\/1\.1 101 .*Sec-WebSocket-Protocol: more\r\n.*hello$/s)
})

test('a request without one key that is one asks for no WebSocket', async (t) => {
  const upgrades: unknown[] = []
  const { port } = await carried(t, {
    application: ({ headers }, response) => {
      upgrades.push(headers.upgrade)
      response.end('ordinary')
    },
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const line = /Sec-WebSocket-Key: .*\r\n/
  for (const lines of ['', 'Sec-WebSocket-Key: abc\r\n', '$&$&']) {
    assert.match(await exchangeBytes(port, webSocketRequest.replace(line, lines)), /ordinary/)
  }
  assert.deepEqual(upgrades, [undefined, undefined, undefined])
})

test('the answer to the key of the specification is that of the specification', () => {
  // RFC 6455, section 1.3.
  assert.equal(acceptFor('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
})
