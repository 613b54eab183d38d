import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedConnectionEntry } from '../logs/violation-entries.ts'
import { carried, exchangeBytes } from '../testing/carried.ts'

const head = (line: string, ...lines: string[]) => `${[line, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`

test('a page of the proxy says an id by which the log tells what was wrong', async (t) => {
  const { port, refused } = await carried(t, { application: (_, response) => response.end() })
  for (const bytes of [
    head('GET /\0 HTTP/1.1'),
    head('CONNECT a:443 HTTP/1.1'),
    head('GET / HTTP/1.1', `X: ${'x'.repeat(70_000)}`),
  ]) {
    const answer = await exchangeBytes(port, bytes)
    assert.match(answer, /^HTTP\/1\.1 4\d\d /)
    const [last] = refused.slice(-1)
    assert.ok(last)
    const [, requestId] = /<p>Request ([0-9a-f-]{36})<\/p>/.exec(answer) ?? []
    assert.equal(requestId, refusedConnectionEntry(last, 0)['request-id'], answer)
  }
  assert.equal(refused.length, 3)
})
