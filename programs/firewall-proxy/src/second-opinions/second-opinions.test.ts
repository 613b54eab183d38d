import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotSecondOpinion } from '@palisade/proxy-protocol'
import { violationEntries } from '../logs/violation-entries.ts'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:8,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRule ARGS "@rx (?i)select" "id:942190,phase:2,pass,log,msg:'words of SQL',severity:CRITICAL,tag:'attack-sqli',setvar:'tx.score=+5'"
SecRule ARGS "@rx (?i)script" "id:941210,phase:2,pass,log,msg:'scripts',severity:CRITICAL,tag:'attack-xss',setvar:'tx.score=+5'"
SecRule ARGS "@rx passwd" "id:930120,phase:2,pass,log,msg:'files',severity:CRITICAL,tag:'attack-lfi',setvar:'tx.score=+5'"
SecRule REQUEST_HEADERS:X-Note "@rx select" "id:942191,phase:1,pass,log,msg:'words of SQL',severity:CRITICAL,tag:'attack-sqli',setvar:'tx.score=+5'"
SecRule TX:score "@ge 5" "id:949110,phase:2,deny,status:403,log,msg:'refused'"
`)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const sentence = 'please select the best of them'

async function serviceWith(t: TestContext, opinions: readonly Partial<SnapshotSecondOpinion>[]) {
  const { port, exchanges, masking } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('reached')),
    rules,
    policy: testPolicy(),
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({
        secondOpinions: opinions.map((opinion, at) => ({
          name: `opinion ${at}`,
          host: '*',
          url: '/notes',
          extendedMatch: '*',
          sequence: 0,
          parameter: 'note',
          exceptedRules: [],
          ...opinion,
        })),
      }),
    },
  })
  const send = async (target: string, init: RequestInit = {}) =>
    (await fetch(`http://127.0.0.1:${port}${target}`, init)).status
  const post = (fields: Record<string, string>) =>
    send('/notes', { method: 'POST', headers: form, body: new URLSearchParams(fields).toString() })
  return { send, post, exchanges, masking }
}

test('nothing is looked at a second time unless it is asked for, or beside what it is asked for', async (t) => {
  const none = await serviceWith(t, [])
  assert.equal(await none.post({ note: sentence }), 403)
  const { post, send } = await serviceWith(t, [{}])
  assert.equal(await post({ other: sentence }), 403)
  assert.equal(await post({ note: sentence, other: sentence }), 403)
  assert.equal(await post({ note: "' union select 1 --" }), 403)
  assert.equal(await post({ note: 'please select the script of them' }), 403, 'two sorts of attacks')
  const query = new URLSearchParams({ note: sentence })
  assert.equal(await send(`/other?${query}`), 403)
  assert.equal(await send(`/x/..%2fnotes?${query}`), 200, 'it is the same address')
  assert.equal(await send(`/notes%2fx?${query}`), 403)
  assert.equal(await send(`/notes?${query}`, { headers: { 'x-note': 'select' } }), 403)
  assert.equal(await send(`/notes?${query}&note=${encodeURIComponent('1;select 2')}`), 403)
})

test('ordinary text goes on, and the log says which rules found what and why that was no reason', async (t) => {
  const { post, send, exchanges, masking } = await serviceWith(t, [{}])
  assert.equal(await post({ note: sentence }), 200)
  const [exchange] = exchanges
  assert.ok(exchange)
  assert.equal(exchange.interruption, undefined)
  assert.match(exchange.violations[0]?.detail ?? '', /942190 found ARGS:note .* ordinary text/)
  const entries = violationEntries(exchange, masking)
  assert.ok(entries.every(({ action }) => action === 'LOG'))
  assert.deepEqual(entries.map(({ rule = '' }) => rule).sort(), ['', '942190'])
  assert.equal(await send(`/notes?${new URLSearchParams({ note: sentence })}`), 200)
})

test('a sort of attacks for which three rules were excepted is known there, others are not', async (t) => {
  const exceptedRules = [942_100, 942_110, 942_120]
  const { post } = await serviceWith(t, [
    { exceptedRules },
    { parameter: 'text_*', exceptedRules: [942_100] },
  ])
  assert.equal(await post({ note: 'SELECT a FROM b;' }), 200)
  assert.equal(await post({ note: '/etc/passwd' }), 403)
  assert.equal(await post({ note: 'SELECT a FROM passwd;' }), 403)
  assert.equal(await post({ text_1: 'SELECT a FROM b;' }), 403)
  assert.equal(await post({ text_1: sentence }), 200)
})

test('members of JSON are parameters, too', async (t) => {
  const { send } = await serviceWith(t, [{ parameter: 'page.text' }])
  const ask = (page: object) =>
    send('/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ page }),
    })
  assert.equal(await ask({ text: "select 1; it's bad --" }), 403)
  assert.equal(await ask({ title: sentence }), 403)
  assert.equal(await ask({ text: sentence }), 200)
})
