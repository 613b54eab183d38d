import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPolicy } from '../../testing/policies.ts'
import { profileOf, protectedForms } from '../../testing/protected-forms.ts'

const order = `<form action="/order?step=2" method=post><input type=hidden name=price value="5 &euro;"><input type=hidden name="item[id]" value="a&amp;b
c"><input type=hidden name=agree value=0><input type=checkbox name=agree value=1><input type=hidden name=note value=x><input name=note>
<input type=hidden name=sum value=5><select name=size><option>S&amp; M <option value=l>Large</select><input name=rank value=3></form>`

test('hidden fields come back as the page had them', async (t) => {
  const { visit, post, ask, attacks, reached } = await protectedForms(t, order, {
    csrf: 'none',
    profiles: [profileOf('/order', { hidden: 'forms' })],
  })
  const { cookie, seal } = await visit()
  const { cookie: otherCookie, seal: otherSeal } = await visit()
  const fields = {
    price: '6',
    'item[id]': 'a&b\r\nc',
    agree: '1',
    note: 'mine',
    sum: '5',
    __ncforminfo: seal,
  }
  const good = await post('/order?step=2', fields, { cookie })
  assert.deepEqual([good.status, attacks()], [200, []])
  assert.ok(!reached.at(-1)?.body.includes('ncforminfo'))
  assert.equal((await post('/order', { agree: '0', __ncforminfo: seal }, { cookie })).status, 200)
  const count = reached.length
  const bad: readonly Record<string, string>[] = [
    { sum: '6' },
    { SUM: '6' },
    { ' sum': '6' },
    { 'sum[]': '6' },
    { 'sum\0': '6' },
    { 'item[id]': 'ab' },
    { agree: '2' },
    { __ncforminfo: '' },
    { __ncforminfo: otherSeal },
  ]
  for (const change of bad) {
    const { status } = await post('/order', { ...fields, ...change }, { cookie })
    assert.deepEqual([status, attacks()], [403, ['read-only-parameter-tampered']], JSON.stringify(change))
  }
  const twice = `sum=5&sum=6&__ncforminfo=${seal}`
  const asForm = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const targets = [
    ['/order', twice],
    ['/order?sum=6', `__ncforminfo=${seal}`],
    ['/%6frder', `sum=5&__ncforminfo=${seal}`],
    ['/order', `sum=5&__ncforminfo=${seal}&__ncforminfo=${seal}`],
  ] as const
  for (const [path, body] of targets) {
    assert.equal((await ask(path, { method: 'POST', body, headers: asForm })).status, 403, `${path} ${body}`)
  }
  assert.equal((await ask('/order', { method: 'PUT', body: '{"sum":6}', headers: { cookie } })).status, 403)
  assert.equal(reached.length, count)
  const { status } = await post('/order', { sum: '5', __ncforminfo: otherSeal }, { cookie: otherCookie })
  assert.equal(status, 200)
})

test('the parameters of profiles have to be ones that a page has offered to the session', async (t) => {
  const { parameterProtection } = testPolicy()
  assert.ok(parameterProtection)
  const parameter = (name: string, seals?: 'read-only' | 'session-choice' | 'session-invariant') => ({
    ...parameterProtection,
    name,
    parameter: name,
    isIgnored: false,
    isRequired: false,
    isFile: false,
    shapes: [],
    ...(seals ? { seals } : {}),
  })
  const { visit, post, ask, attacks } = await protectedForms(t, `${order}<a href="/order?rank=4&amp;q=1">`, {
    csrf: 'none',
    profiles: [
      profileOf('/order', {
        parameterProfiles: [
          parameter('rank', 'read-only'),
          parameter('size', 'session-choice'),
          parameter('step', 'session-invariant'),
          parameter('free'),
        ],
      }),
    ],
  })
  const { cookie, seal, page } = await visit()
  const good = { rank: '3', size: 'S& M', free: 'x', sum: '6', __ncforminfo: seal }
  const first = await post('/order?step=2', good, { cookie })
  assert.deepEqual([first.status, attacks()], [200, []])
  assert.equal((await post('/order', { size: 'l', __ncforminfo: seal }, { cookie })).status, 200)
  assert.equal((await post('/order', { free: '1' }, { cookie })).status, 200)
  for (const [target, fields, attack] of [
    ['/order', { rank: '4', __ncforminfo: seal }, 'read-only-parameter-tampered'],
    ['/order', { rank: '3' }, 'read-only-parameter-tampered'],
    ['/order', { 'rank[]': '4', __ncforminfo: seal }, 'read-only-parameter-tampered'],
    ['/order', { size: 'Large', __ncforminfo: seal }, 'session-choice-parameter-tampered'],
    ['/order?step=3', { __ncforminfo: seal }, 'session-invariant-parameter-tampered'],
  ] as const) {
    const { status } = await post(target, fields, { cookie })
    assert.deepEqual([status, attacks()], [403, [attack]], `${target} ${JSON.stringify(fields)}`)
  }
  const [, link = ''] = /<a href="([^"]+)"/.exec(page) ?? []
  const target = link.replaceAll('&amp;', '&')
  assert.equal((await ask(target, { headers: { cookie } })).status, 200)
  assert.equal((await ask(target.replace('q=1', 'q=2'), { headers: { cookie } })).status, 200)
  assert.equal((await ask(target.replace('rank=4', 'rank=5'), { headers: { cookie } })).status, 403)
  assert.equal((await ask('/order?rank=4', { headers: { cookie } })).status, 403)
})

test('the links of pages come back as they were where they are protected', async (t) => {
  const { visit, ask, attacks, reached } = await protectedForms(t, '<a href="/doc?id=7&amp;lang=de">', {
    csrf: 'none',
    profiles: [profileOf('/doc', { hidden: 'forms-and-urls' })],
  })
  const { cookie, page } = await visit()
  const [, link = ''] = /<a href="([^"]+)"/.exec(page) ?? []
  const target = link.replaceAll('&amp;', '&')
  assert.equal((await ask(target, { headers: { cookie } })).status, 200)
  assert.equal(reached.at(-1)?.url, '/doc?id=7&lang=de')
  assert.equal((await ask('/doc')).status, 200)
  for (const path of [
    target.replace('id=7', 'id=8'),
    `${target}&ID=8`,
    `${target}&id%5b%5d=8`,
    '/doc?id=7',
  ]) {
    assert.equal((await ask(path, { headers: { cookie } })).status, 403, path)
    assert.deepEqual(attacks(), ['read-only-parameter-tampered'])
  }
})
