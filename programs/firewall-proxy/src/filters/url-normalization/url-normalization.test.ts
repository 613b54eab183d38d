import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SnapshotNormalization } from '@palisade/proxy-protocol'
import { type Carried, carried, exchangeBytes } from '../../testing/carried.ts'
import { testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'

const plain: SnapshotNormalization = {
  decodesTwice: false,
  narrowsCharacters: false,
  parameterSeparators: '&',
}

async function seenAt(t: Parameters<typeof carried>[0], normalization: SnapshotNormalization) {
  let path = ''
  const plane: Carried = await carried(t, {
    application: (request, response) => {
      path = request.url ?? ''
      response.end('reached')
    },
    service: { inspection: { mode: 'active' } },
    rules: emptyRuleSets,
    policy: testPolicy({ normalization }),
  })
  return async (target: string) => {
    path = ''
    await exchangeBytes(plane.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    return path === '' ? plane.exchanges.at(-1)?.violations[0]?.attack : path
  }
}

test('servers get the address that was checked, and no other spelling of it', async (t) => {
  const send = await seenAt(t, { ...plain, charset: 'utf-8' })
  const expected: Readonly<Record<string, string>> = {
    '/a/b?c=%2e%2e/d': '/a/b?c=%2e%2e/d',
    '/a/../b?x=1': '/b?x=1',
    '/a/%2e%2e/b%20c': '/b%20c',
    '/a/./b/': '/a/b/',
    '/caf%C3%A9': '/caf%C3%A9',
    '/.well-known/acme-challenge/x': '/.well-known/acme-challenge/x',
    '/../etc/passwd': 'directory-traversal-beyond-root',
    '/a/..%5c..%5cwindows': 'directory-traversal-beyond-root',
    '/a/b/c/..%2f..%2Fd': 'directory-traversal-beyond-root',
    '/a/b/%2e%2e/%2e%2e/c': 'directory-traversal-beyond-root',
    '/a/..%2fb': '/b',
    '/.git/config': 'slash-dot-in-url-path',
    '/a/%2ehtaccess': 'slash-dot-in-url-path',
    '/~root/': 'tilde-in-url-path',
    '/a?b=50%': 'invalid-url-encoding',
    '/caf%E9': 'invalid-url-character-set',
    '/a?b=%C0%AF': 'invalid-url-character-set',
  }
  for (const [target, answer] of Object.entries(expected)) assert.equal(await send(target), answer, target)
})

test('what was encoded twice, or written with look-alikes, is written plainly where the policy wants that', async (t) => {
  const send = await seenAt(t, { ...plain, decodesTwice: true, narrowsCharacters: true })
  assert.equal(await send('/a?b=%253Cscript%253E'), '/a?b=%3Cscript%3E')
  assert.equal(await send('/a/%252e%252e/b'), '/b')
  assert.equal(await send('/a?b=%EF%BC%9Cscript%EF%BC%9E'), '/a?b=%3cscript%3e')
  assert.equal(await send('/a?b=%EF%BD%9F'), '/a?b=%EF%BD%9F')
})

test('character sets are checked by their names, and any bytes pass without one', async (t) => {
  const send = await seenAt(t, { ...plain, charset: 'shift_jis' })
  assert.equal(await send('/%83e%83X%83g'), '/%83e%83X%83g')
  assert.equal(await send('/%83'), 'invalid-url-character-set')
  const any = await seenAt(t, plain)
  assert.equal(await any('/caf%E9'), '/caf%E9')
})
