import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createLog } from './create-log.ts'
import { isRequestId, newRequestId, withRequestId } from './request-id.ts'

function logInto(lines: Record<string, unknown>[]) {
  return createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
}

test('every line has the id of the request that is worked on, also behind its body, and no other line has one', async () => {
  const lines: Record<string, unknown>[] = []
  const log = logInto(lines)
  const server = createServer((request, response) =>
    withRequestId(String(request.headers['x-request-id']), async () => {
      log.info('begun')
      for await (const _ of request);
      log.child({ part: 'end' }).warn('read')
      setImmediate(() => {
        log.info('answered')
        response.end()
      })
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const ask = async (id: string) => {
    const options = { method: 'POST', body: 'x'.repeat(200_000), headers: { 'x-request-id': id } }
    await (await fetch(`http://127.0.0.1:${port}/`, options)).text()
  }
  await Promise.all(['one', 'two', 'three'].map(ask))
  server.close()
  log.info('between')
  const ids = (msg: string) => lines.filter((line) => line.msg === msg).map(({ requestId }) => requestId)
  for (const msg of ['begun', 'read', 'answered']) {
    assert.deepEqual(ids(msg).sort(), ['one', 'three', 'two'], msg)
  }
  assert.deepEqual(ids('between'), [undefined])
})

test('what is logged with an id of its own has it once', () => {
  const written: string[] = []
  const log = createLog('info', { write: (line) => void written.push(line) })
  withRequestId('outer', () => log.info({ requestId: 'own' }, 'told'))
  assert.match(written.join(), /"requestId":"own"/)
  assert.doesNotMatch(written.join(), /outer/)
})

test('takes short plain texts for request ids only', () => {
  for (const id of ['a', '7', 'deploy-2030.01_31', 'A'.repeat(64), newRequestId()])
    assert.ok(isRequestId(id), id)
  const hostile = [
    '',
    'A'.repeat(65),
    '-begins',
    'two words',
    'line\nbreak',
    'one\r\nSet-Cookie: x=1',
    '<script>',
    '"quoted"',
    '../../etc/passwd',
    'ümlaut',
    '\u001b[31m',
    'one,two',
  ]
  for (const text of hostile) assert.ok(!isRequestId(text), JSON.stringify(text))
  assert.match(newRequestId(), /^[0-9a-f]{32}$/)
})
