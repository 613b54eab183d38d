import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadRuleSets } from '../inspection/rule-sets.ts'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'

/** Debian's modsecurity-crs. */
const rules = loadRuleSets(
  {
    named: { folder: '/usr/share/modsecurity-crs/rules', setup: '/etc/modsecurity/crs/crs-setup.conf' },
    withoutRules: 'refuse',
  },
  { of: () => new MemoryCollectionStorage() },
)

/** @param excludedParameters undefined where the second stage is switched off */
async function serviceWith(t: TestContext, excludedParameters: readonly string[] | undefined) {
  const { port, exchanges } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('reached')),
    rules,
    policy: testPolicy(excludedParameters === undefined ? {} : { secondStage: { excludedParameters } }),
    service: { inspection: { mode: 'active' }, checks: testChecks() },
  })
  const ask = async (parameters: Readonly<Record<string, string>>) =>
    (await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams(parameters)}`)).status
  const send = async (type: string, body: string) =>
    (await fetch(`http://127.0.0.1:${port}/a`, { method: 'PUT', body, headers: { 'content-type': type } }))
      .status
  return { ask, send, exchanges }
}

const graphql = 'query Books($first: Int) { books(search: "a", first: $first) { id title notes } }'
const sentence = 'He said "select one from these", and we did.'
const attack = "1'/**/or/**/1=1-- "

test('what rules mistake passes, with the reason in the log, and an attack beside it does not', async (t) => {
  const { ask, exchanges } = await serviceWith(t, [])
  assert.equal(await ask({ query: graphql }), 200)
  assert.match(exchanges[0]?.violations[0]?.detail ?? '', /932100 found ARGS:query .* document of GraphQL/)
  assert.equal(await ask({ note: sentence }), 200)
  assert.equal(await ask({ note: sentence, id: attack }), 403)
  assert.equal(await ask({ id: attack }), 403)
  assert.equal(await ask({ note: `${sentence} ${attack}` }), 403)
  assert.equal(await ask({ query: graphql.replace('"a"', '"; cat /etc/passwd"') }), 403)
})

test('a policy can switch it off, as a whole and for a parameter', async (t) => {
  const without = await serviceWith(t, undefined)
  assert.equal(await without.ask({ query: graphql }), 403)
  const partly = await serviceWith(t, ['note*'])
  assert.equal(await partly.ask({ note_1: sentence }), 403)
  assert.equal(await partly.ask({ text: sentence }), 200)
  assert.equal(await partly.ask({ text: sentence, note: sentence }), 403)
})

test('addresses are judged by their parts, and letters that a browser escaped are letters', async (t) => {
  const { ask } = await serviceWith(t, [])
  const address = `http://s.example.org/r?id=\${USER_ID}&next=http%3A%2F%2Fexample.org%2F%3Fa%3D1&&d=1`
  const without = await serviceWith(t, undefined)
  for (const url of [address, '%u043C%u043F']) {
    assert.equal(await without.ask({ url }), 403, url)
    assert.equal(await ask({ url }), 200, url)
  }
  for (const part of ["'or'1'='1", '1;cat /etc/passwd', '<script>alert(1)</script>', `\${IFS}id`])
    assert.equal(await ask({ url: `${address}&e=${encodeURIComponent(part)}` }), 403, part)
  assert.equal(await ask({ url: '%u003C%u003Fphp system(id)' }), 403)
})

test('a page of a wiki with a table passes, and not with a statement in a cell', async (t) => {
  const { ask } = await serviceWith(t, [])
  const without = await serviceWith(t, undefined)
  const page = 'Towns along the river\n{| class="wikitable"\n! Town !! People\n|-\n| Leeds || 800.000\n|}'
  assert.equal(await without.ask({ page }), 403)
  assert.equal(await ask({ page }), 200)
  assert.equal(await ask({ page: page.replace('Leeds', "x' union select password from users -- ") }), 403)
})

test('calendars, contacts and documents of XML are judged by what their lines and elements say', async (t) => {
  const { send } = await serviceWith(t, [])
  const without = await serviceWith(t, undefined)
  const card = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'TEL;TYPE=HOME:1',
    'LABEL;TYPE=HOME:1 Road',
    'FN:Ann',
    'END:VCARD',
    '',
  ]
  const event = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    'LOCATION:Hall 2',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  const xml = '<note><text>He said "select one from these", and we did.</text></note>'
  const ordinary = [
    ['text/vcard', card.join('\r\n')],
    ['text/calendar', event.join('\r\n')],
    ['text/xml', xml],
  ] as const
  for (const [type, body] of ordinary) {
    assert.equal(await without.send(type, body), 403, type)
    assert.equal(await send(type, body), 200, type)
  }
  const attacks = [
    ['text/vcard', card.join('\r\n').replace('1 Road', '1; cat /etc/passwd')],
    ['text/calendar', event.join('\r\n').replace('UID:1', 'Set-Cookie:a=1')],
    ['text/xml', xml.replace('these', "these' union select password from users -- ")],
  ] as const
  for (const [type, body] of attacks) assert.equal(await send(type, body), 403, body)
})
