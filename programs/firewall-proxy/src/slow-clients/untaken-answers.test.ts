import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'

const kibibyte = 1024
const answer = Buffer.alloc(256 * kibibyte, 'x')

/** A connection over which no byte of an answer may be sent, unless a window is given. */
function opened(t: TestContext, port: number, initialWindowSize = 0): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    settings: { initialWindowSize },
  })
  session.on('error', () => undefined)
  t.after(() => session.destroy())
  return session
}

async function asked(session: ClientHttp2Session): Promise<ClientHttp2Stream> {
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => undefined)
  await once(stream, 'response')
  return stream
}

test('of answers that clients do not take no more is held than there is memory for, and who takes them gets them', async (t) => {
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end(answer),
    service: { tls: http2Tls() },
    answersBytesMax: 512 * kibibyte,
  })
  const session = opened(t, port)
  const streams: ClientHttp2Stream[] = []
  for (let count = 0; count < 30; count++) streams.push(await asked(session))
  while (exchanges.length === 0) await pause(20)
  const [first] = exchanges
  assert.deepEqual(
    first?.violations.map(({ attack, detail }) => [attack, detail]),
    [['slow-client-attack', 'The response was taken so slowly that others needed the memory that it took.']],
  )
  assert.equal(streams[0]?.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM)
  const honest = await asked(opened(t, port, 65_535))
  let size = 0
  for await (const chunk of honest) size += chunk.length
  assert.equal(size, answer.length)
  const waiting = streams.filter(({ closed }) => !closed)
  assert.ok(waiting.length > 0 && waiting.length < streams.length, `${waiting.length} wait`)
})
