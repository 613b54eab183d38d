import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

const policy = testPolicy({
  hiddenHeaders: ['server', 'x-powered-by'],
  hiddenErrors: { exceptStatuses: [410], page: { status: 503, headers: {}, body: 'Not now: %host' } },
})

const hidden = async (t: Parameters<typeof carried>[0], mode: 'active' | 'passive') => {
  const { port, exchanges } = await carried(t, {
    application: (request, response) => {
      response.writeHead(Number(request.url?.slice(1)), [
        'SERVER',
        'Secret/1',
        'X-Powered-By',
        'PHP',
        'X-Own',
        '1',
      ])
      response.end('a stack trace')
    },
    service: { inspection: { mode } },
    rules: emptyRuleSets,
    policy,
  })
  const get = async (status: number) => {
    const reply = await fetch(`http://127.0.0.1:${port}/${status}`)
    return [reply.status, await reply.text(), reply.headers.get('server'), reply.headers.get('x-own')]
  }
  return { get, exchanges, port }
}

test('errors of servers are replaced, but for those that are excepted and those that ask who it is', async (t) => {
  const { get, exchanges, port } = await hidden(t, 'active')
  for (const status of [400, 404, 500, 503]) {
    assert.deepEqual(await get(status), [503, `Not now: 127.0.0.1:${port}`, null, null], String(status))
  }
  for (const status of [200, 302, 401, 410]) {
    assert.deepEqual(await get(status), [status, 'a stack trace', null, '1'], String(status))
  }
  // A client that is told of a proxy shows nothing of the answer.
  assert.match(
    await exchangeBytes(port, 'GET /407 HTTP/1.1\r\nHost: a\r\n\r\n'),
    /^HTTP\/1\.1 407 .*a stack trace/s,
  )
  assert.equal(exchanges[0]?.violations.at(-1)?.attack, 'error-response-suppressed')
})

test('in passive mode errors pass and are logged; what servers are is hidden all the same', async (t) => {
  const { get, exchanges } = await hidden(t, 'passive')
  assert.deepEqual(await get(500), [500, 'a stack trace', null, '1'])
  assert.deepEqual(
    exchanges[0]?.violations.map(({ attack, action }) => [attack, action]),
    [
      ['response-header-suppressed', 'CLOAK'],
      ['error-response-suppressed', 'LOG'],
    ],
  )
})
