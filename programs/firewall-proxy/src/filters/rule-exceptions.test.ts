import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotRuleException } from '@palisade/proxy-protocol'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:8,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRule ARGS|REQUEST_COOKIES "@rx evil" "id:1,phase:2,pass,log,msg:'evil',setvar:'tx.score=+5'"
SecRule ARGS "@rx worse" "id:2,phase:2,pass,log,msg:'worse',setvar:'tx.score=+5'"
SecRule TX:score "@ge 5" "id:9,phase:2,deny,status:403,nolog"
`)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

/** A service with these exceptions; tells how requests to it are answered. */
async function serviceWith(t: TestContext, exceptions: readonly Partial<SnapshotRuleException>[]) {
  const { port, exchanges } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('reached')),
    rules,
    policy: testPolicy({
      parameterProtection: { ...testPolicy().parameterProtection, ignored: ['ignored'] } as never,
    }),
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({
        ruleExceptions: exceptions.map((exception, at) => ({
          name: `exception ${at}`,
          host: '*',
          url: '/',
          extendedMatch: '*',
          sequence: 0,
          rule: 1,
          ...exception,
        })),
      }),
    },
  })
  const send = async (target: string, init: RequestInit = {}) =>
    (await fetch(`http://127.0.0.1:${port}${target}`, init)).status
  return { send, exchanges }
}

test('a rule that is left out for a parameter of a URL counts for others, elsewhere, and with other rules', async (t) => {
  const { send, exchanges } = await serviceWith(t, [{ url: '/edit', target: 'ARGS:text' }])
  assert.equal(await send('/edit?text=evil&title=evil'), 403)
  assert.equal(await send('/edit/more?text=evil'), 403)
  assert.equal(await send('/?text=evil'), 403)
  assert.equal(await send('/edit?text=worse'), 403)
  assert.equal(await send('/edit?text=evil&x=1', { headers: { cookie: 'text=evil' } }), 403)
  assert.equal(await send('/edit?text=evil'), 200)
  assert.deepEqual(exchanges.at(-1)?.transaction?.matches, [])
})

test('a URL has its exceptions when it is written plainly, and not where a server could take it for another one', async (t) => {
  const { send, exchanges } = await serviceWith(t, [
    { url: '/edit', target: 'ARGS:text' },
    { url: '/page/edit', target: 'ARGS:text' },
  ])
  assert.equal(await send('/edit%2f..%2fpay?text=evil'), 403)
  assert.equal(await send('/pay?/edit&text=evil'), 403)
  assert.equal(await send('//edit?text=evil'), 403)
  assert.equal(await send('/page%2fedit?text=evil'), 403)
  assert.equal(await send('/page/edit?text=evil'), 200)
  assert.equal(await send('/%65dit?text=evil'), 200)
  assert.equal(await send('/pay/..%2fedit?text=evil'), 200, 'the server is asked for /edit')
  assert.equal(exchanges.at(-1)?.target, '/edit?text=evil')
})

test('exceptions for one request come together, also with parameters that policies leave out', async (t) => {
  const { send } = await serviceWith(t, [
    { target: 'ARGS:text' },
    { target: 'ARGS:text', rule: 2 },
    { url: '/*', target: 'REQUEST_COOKIES:note_*' },
  ])
  const post = (body: string) =>
    send('/', { method: 'POST', body, headers: { ...form, cookie: 'note_1=evil' } })
  assert.equal(await post('text=evil+worse&ignored=evil'), 200)
  assert.equal(await post('text=evil+worse&other=evil'), 403)
})

test('an exception without a target leaves the rule out, and one for another host does not count', async (t) => {
  const { send } = await serviceWith(t, [{ url: '/all' }, { url: '/', host: 'elsewhere.example' }])
  assert.equal(await send('/all?a=evil'), 200)
  assert.equal(await send('/?a=evil'), 403)
})

test('members of JSON have exceptions, too', async (t) => {
  const { send } = await serviceWith(t, [{ target: 'ARGS:*cells.source' }])
  const post = (body: object) => send('/', { method: 'PUT', body: JSON.stringify(body), headers: json })
  assert.equal(await post({ cells: [{ name: 'evil' }] }), 403)
  assert.equal(await post({ cells: [{ source: 'a' }, { source: 'evil' }] }), 200)
})
