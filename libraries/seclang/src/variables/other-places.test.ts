import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet } from '../rule-set.ts'

const text =
  'SecRuleEngine On\nSecRule ARGS "@rx ." "id:1,phase:1,pass,log"\nSecRule &ARGS "@gt 0" "id:2,phase:1,pass,log"'

/** What a rule about arguments sees of a request without any. */
function seen(uri: string, headers: readonly string[] = [], readsOtherPlaces = true): string[] {
  const rules = loadRuleSet({ sources: [{ name: 'rules', text }], readsOtherPlaces })
  const transaction = rules.newTransaction({
    connection: { clientAddress: '192.0.2.1', clientPort: 1024, serverAddress: '192.0.2.2', serverPort: 80 },
  })
  transaction.requestHeaders({
    method: 'GET',
    uri,
    protocol: 'HTTP/1.1',
    headers: ['Host', 'example.org', ...headers],
  })
  return transaction.matches.map(({ targetName, sourceValue }) => `${targetName} ${sourceValue}`)
}

test('rules about arguments see what is odd in headers and at the end of a path, where that is asked for', () => {
  const attack = "1' or '1'='1"
  const path = `/a/b/${encodeURIComponent(attack)}/c`
  assert.deepEqual(seen(path), [`REQUEST_FILENAME:end ${attack}/c`])
  for (const name of ['User-Agent', 'X-Forwarded-For', 'X-Own', 'Referer']) {
    assert.deepEqual(seen('/', [name, attack]), [`REQUEST_HEADERS:${name} ${attack}`])
  }
  assert.deepEqual(seen('/', ['Referer', `https://example.org/?q=<${attack}`]), [
    `REQUEST_HEADERS:Referer /?q=<${attack}`,
    `REQUEST_HEADERS:Referer <${attack}`,
  ])
  assert.deepEqual(seen('/a/%2Fetc%2Fhosts'), ['REQUEST_FILENAME:end /etc/hosts'])
  assert.deepEqual(seen('/a/case%20when%201'), ['REQUEST_FILENAME:end case when 1'])
  assert.deepEqual(seen('/', ['X-Own', 'a /etc/hosts']), ['REQUEST_HEADERS:X-Own a /etc/hosts'])
  assert.deepEqual(seen(path, ['User-Agent', attack], false), [])
})

test('names with marks of attacks, headers that break their grammar and what is encoded give values, too', () => {
  // One argument without a character, which is counted.
  assert.deepEqual(seen('/?%60id%60'), ['ARGS_NAMES:`id` `id`', 'ARGS 1'])
  assert.deepEqual(seen('/', ['Accept-Language', "a' or 1"]), ["REQUEST_HEADERS:Accept-Language a' or 1"])
  const script = '<script>alert(1)</script>'
  const encoded = Buffer.from(script).toString('base64url')
  assert.deepEqual(seen(`/a/${encoded}`), [`REQUEST_FILENAME:end ${script}`])
  assert.deepEqual(seen('/', ['X-Own', encoded]), [`REQUEST_HEADERS:X-Own ${script}`])
  assert.deepEqual(seen('/', ['Referer', "https://example.org/?q=a'b&c=1"]), [
    "REQUEST_HEADERS:Referer /?q=a'b&c=1",
    "REQUEST_HEADERS:Referer a'b",
    "REQUEST_HEADERS:Referer a'b&c=1",
  ])
  // Beginnings of templates and commands, which browsers send as they are.
  assert.deepEqual(seen('/', ['Referer', 'https://example.org/?q={{7*7}}']), [
    'REQUEST_HEADERS:Referer /?q={{7*7}}',
    'REQUEST_HEADERS:Referer {{7*7}}',
  ])
})

test('what browsers send and ordinary paths give nothing', () => {
  const headers = [
    ...[
      'User-Agent',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    ],
    ...[
      'Accept',
      'text/html;q=0.9,*/*;q=0.8',
      'If-None-Match',
      'W/"1a-2b"',
      'Sec-CH-UA',
      '"Chromium";v="156"',
    ],
    ...[
      'Cookie',
      'a=b; c={"d":1}',
      'Referer',
      "https://example.org/it's?q=a%20%3Cb%3E&c=d",
      'X-Requested-With',
      'XMLHttpRequest',
    ],
    ...['Content-Type', 'multipart/form-data; boundary="x"', 'X-Forwarded-For', '192.0.2.1, 2001:db8::1'],
  ]
  for (const path of [
    '/',
    '/a/b.html',
    '/wiki/Foo_(bar)',
    '/@scope/name/-/name-1.0.0.tgz',
    '/a,b=c/d+e~f',
    '/%C3%A9t%C3%A9/',
    '/docs/etc/hosts',
  ]) {
    assert.deepEqual(seen(path, headers), [], path)
  }
})
