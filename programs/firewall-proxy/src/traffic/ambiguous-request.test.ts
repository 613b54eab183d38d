import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, exchangeBytes } from '../testing/carried.ts'

/** What servers may cut, decode or read as another host. */
const noHosts = [
  'a:80x',
  'a:foo',
  'a:+80',
  'a:80:80',
  ':80',
  'a?x',
  'u@a',
  'a/b',
  'a\\b',
  'a b',
  'a,b',
  '%61',
  'a\xe4',
  '[::1',
  '[a.example]',
  '::1',
]

const hosts = [
  'a',
  'my_shop.example',
  'shop.example.',
  'a:',
  'A:8080',
  '192.0.2.1:80',
  '[::1]',
  '[2001:db8::1]:443',
]

test('a host that servers could take for another one is refused and told about', async (t) => {
  let reached = 0
  const { port, exchanges } = await carried(t, {
    application: (_, response) => {
      reached++
      response.end()
    },
  })
  for (const version of ['1.1', '1.0']) {
    for (const host of noHosts) {
      const answer = await exchangeBytes(port, `GET / HTTP/${version}\r\nHost: ${host}\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 400 /, host)
      const [violation] = exchanges.at(-1)?.violations ?? []
      assert.equal(violation?.attack, 'invalid-or-malformed-http-request', host)
    }
  }
  assert.equal(reached, 0)
  assert.equal(exchanges.length, 2 * noHosts.length)
})

test('names, addresses and ports are hosts, and so is none where the version lets it be', async (t) => {
  const values: (string | undefined)[] = []
  const { port } = await carried(t, {
    application: (request, response) => {
      values.push(request.headers.host)
      response.end('reached')
    },
  })
  for (const host of [...hosts, '']) {
    assert.match(await exchangeBytes(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /reached/, host)
  }
  assert.deepEqual(values, [...hosts, ''])
  assert.match(await exchangeBytes(port, 'GET / HTTP/1.0\r\n\r\n'), /reached/)
})
