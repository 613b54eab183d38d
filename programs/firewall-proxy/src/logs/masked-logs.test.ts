import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotPolicy } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'
import { accessEntry } from './access-entry.ts'
import { violationEntries } from './violation-entries.ts'

/** Rules that find the secret wherever it is, and quote what they found. */
const rules = ruleSetsOf(`
SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:8,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRule REQUEST_HEADERS:Content-Type "@contains xml" "id:9,phase:1,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule ARGS|ARGS_NAMES|ARGS_GET|ARGS_POST|ARGS_POST_NAMES|REQUEST_HEADERS|REQUEST_URI|REQUEST_URI_RAW|QUERY_STRING|REQUEST_LINE|REQUEST_FILENAME|REQUEST_BASENAME|REQUEST_BODY|XML:/*|XML://@*|FILES|MULTIPART_PART_HEADERS|REQUEST_COOKIES "@rx hunter2" "id:1,phase:2,pass,log,severity:CRITICAL,msg:'Found %{MATCHED_VAR}',logdata:'Matched Data: %{MATCHED_VAR} in %{MATCHED_VAR_NAME}'"
`)

/** Ways to write the name of a parameter, in addresses and forms. */
const spellings = [
  'password',
  'PassWord',
  'p%61ssword',
  '%70%61%73%73%77%6f%72%64',
  'p%2561ssword',
  '%2570assword',
  'p%252561ssword',
  '%u0070assword',
  'p%25u0061ssword',
  'p%c1%a1ssword',
  '%ef%bd%90assword',
  '\\u0070assword',
  '%5cu0070assword',
  '+password',
  'password+',
  '%20password%20',
  '%09password',
  'password%00',
  'pass%00word',
  'password%00.x',
  'password%2500',
  'user[password]',
  'user%5Bpassword%5D',
  'user%255Bpassword%255D',
  'password[]',
  'a.password.b',
  'new_password',
  'PASS-WORD',
]

/** Documents in which the secret has a name, as a value of a parameter. */
const documents = [
  '{"password":"hunter2"}',
  '{"a":1,"password" : "hunter2"}',
  '{"p\\u0061ssword":"hunter2"}',
  '{"user":{"password":["hunter2"]}}',
  "{'password':'hunter2'}",
  '{password:"hunter2"}',
  '<a><password>hunter2</password></a>',
  '<a><n:password x="1">hunter2</n:password></a>',
  '<a password="hunter2"/>',
  "<a n:password = 'hunter2'/>",
  'http://b/?password=hunter2',
  'http://b/;password=hunter2',
  '/b?a=1&password=hunter2#x',
]

const encodedOnce = documents.map((document) => encodeURIComponent(document))
const encodedTwice = encodedOnce.map((document) => encodeURIComponent(document))

interface Sent {
  readonly target: string
  readonly headers?: string
  readonly body?: string
}

const addresses = [
  ...spellings.map((name) => `?a=1&${name}=hunter2`),
  ...spellings.map((name) => `?a=1;${name}=hunter2`),
  ...encodedOnce.map((document) => `?a=${document}`),
  ...encodedTwice.map((document) => `?a=${document}`),
  ...encodedOnce.map((document) => `?${document}`),
  '?a={"password":"hunter2"}',
  '?a="password":"hunter2"',
]

const boundary = 'a-boundary'

function multipart(name: string): Sent {
  const headers = `Content-Type: multipart/form-data; boundary=${boundary}\r\n`
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nhunter2\r\n--${boundary}--\r\n`
  return { target: '/multipart', headers, body: part }
}

const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
const json = 'Content-Type: application/json\r\n'
const xml = 'Content-Type: application/xml\r\n'

const all: readonly Sent[] = [
  ...addresses.map((address) => ({ target: `/query${address}` })),
  ...spellings.map((name) => ({ target: `/path;${name}=hunter2/x` })),
  ...addresses.map((address) => ({ target: '/referred', headers: `Referer: http://x/${address}\r\n` })),
  ...spellings.map((name) => ({ target: '/header', headers: `X-Address: http://x/?${name}=hunter2\r\n` })),
  ...addresses.map((address) => ({ target: '/form', headers: form, body: address.slice(1) })),
  ...documents.map((document) => ({ target: '/mistaken', headers: form, body: document })),
  ...documents.slice(0, 4).map((document) => ({ target: '/json', headers: json, body: document })),
  ...documents.slice(6, 10).map((document) => ({ target: '/xml', headers: xml, body: document })),
  ...spellings.map((name) => multipart(decodeURIComponent(name.replace(/%(?!2|5[Bb])/g, '%25')))),
  { target: '/cookie', headers: 'Cookie: password=hunter2; a=hunter2\r\nX-Old-Cookie: hunter2\r\n' },
  { target: '/authorized', headers: 'Authorization: Bearer hunter2\r\nX-Api-Key: hunter2\r\n' },
]

async function served(
  t: TestContext,
  maskedParameters: readonly string[],
  policy: Partial<SnapshotPolicy> = {},
) {
  const { port, exchanges, masking } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('reached')),
    rules,
    policy: testPolicy(policy),
    service: { checks: testChecks(), maskedParameters },
  })
  return async ({ target, headers = '', body = '' }: Sent) => {
    const method = body === '' ? 'GET' : 'POST'
    const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
    const before = exchanges.length
    await exchangeBytes(
      port,
      `${method} ${target.replaceAll(' ', '%20')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}${length}\r\n${body}`,
    )
    const exchange = exchanges[before]
    assert.ok(exchange, target)
    return {
      access: accessEntry(exchange, masking, Date.now()),
      violations: violationEntries(exchange, masking),
    }
  }
}

for (const [title, maskedParameters] of [
  ['a parameter that speaks of a secret', []],
  ['a parameter that is named', ['password', 'user[pin]']],
] as const) {
  test(`${title} is in no log, however it is spelt and wherever it comes`, async (t) => {
    const send = await served(t, maskedParameters)
    let violationCount = 0
    for (const sent of all) {
      const { access, violations } = await send(sent)
      const text = JSON.stringify([access, violations])
      assert.ok(!text.includes('hunter2'), `${JSON.stringify(sent)}: ${text}`)
      assert.equal(access.url?.toString().startsWith(sent.target.split(/[?;]/)[0] ?? ''), true)
      if (violations.length > 0) violationCount++
    }
    assert.ok(violationCount > all.length * 0.9, `rules found ${violationCount} of ${all.length}`)
  })
}

test('what has no such name stays readable', async (t) => {
  const send = await served(t, ['pin'])
  for (const target of [
    '/a?q=hunter2&b=caf%C3%A9',
    '/a?q=%7B%22name%22%3A%22hunter2%22%7D',
    '/a?u=http%3A%2F%2Fb%2F%3Fc%3Dhunter2',
    '/a?time=12:30&passenger=hunter2',
    '/a?x=%3Cb%3Ehunter2%3C/b%3E',
    '/a;v=1/hunter2?compass=n',
  ]) {
    const { access, violations } = await send({ target })
    const [path = '', query = ''] = target.split('?')
    assert.deepEqual([access.url, access['query-string']], [path, query])
    assert.ok(JSON.stringify(violations).includes('hunter2'), target)
  }
})

test('what is said of a parameter with a strange name does not quote a document that was taken for a name', async (t) => {
  const { urlProtection } = testPolicy()
  assert.ok(urlProtection)
  const send = await served(t, [], { urlProtection: { ...urlProtection, parameterNameCharacters: 5 } })
  for (const document of encodedOnce) {
    const { violations } = await send({ target: `/a?${document}` })
    const details = violations.filter(({ attack }) => attack === 'parameter-name-length-exceeded')
    assert.ok(!JSON.stringify(details).includes('hunter2'), JSON.stringify(details))
    assert.equal(details.length, 1, document)
  }
})
